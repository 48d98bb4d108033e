import { describe, expect, test } from 'vitest';
import type { ApiOptions } from '../../src/api/api.ts';
import { Fault } from '../../src/faults.ts';
import type { Answer } from '../../src/service/execute/answer.ts';
import type { RunProgramRequest } from '../../src/service/execute/run.ts';
import type { ExecuteService } from '../../src/service/execute.ts';
import { PLACE, serve } from './serve.ts';

const ANSWER: Answer = {
  status: 200,
  markdown: '| id |\n| --- |\n| 1 |',
  rows: [{ id: 1 }],
  columns: ['id'],
  meta: { plasm: { commit_id: 'c' } },
};
const ACCEPTED: Answer = {
  status: 202,
  markdown: 'wait(s0_o1)',
  meta: { plasm: { continuity: { p: 'running', h: 's0_o1' }, op: { n: 1, '+': 1 } } },
};

/** The API over programs that answer as told, and what it asked them. */
async function programs(told: Partial<ExecuteService> = {}, options: Partial<ApiOptions> = {}) {
  const asked: RunProgramRequest[] = [];
  const none = () => Promise.reject(new Fault('HANDLE_NOT_FOUND', 'none'));
  const execute: ExecuteService = {
    registerCatalog: async () => ({ prompt_hash: 'abcdef01', name: 'pokedex', entities: ['Pokemon'], created: true }),
    catalogs: async () => [],
    catalog: async (_caller, prompt_hash) => ({ prompt_hash, name: 'pokedex', entities: [], teaching: '# pokedex' }),
    run: async (_caller, request) => {
      asked.push(request);
      return ANSWER;
    },
    operations: async () => ({ operations: [], next_before: null }),
    operation: none,
    rows: none,
    snapshot: none,
    cancel: none,
    follow: none,
    sessions: async () => [],
    ...told,
  };
  const { ask, ...more } = await serve({ execute }, options);
  return { ...more, asked, ask };
}
const AT = 'POST /execute/abcdef01/one';
const TEXT = { 'content-type': 'text/plain' };

describe('a program', () => {
  test.each([
    ['as text', TEXT, 'Pokemon'],
    ['as JSON', {}, { program: 'Pokemon' }],
    ['as a plan file', { 'content-type': 'application/yaml' }, 'Pokemon'],
  ])('is taken %s', async (_, headers, body) => {
    const { ask, asked } = await programs();
    const answer = await ask(AT, { headers, body });
    expect(answer).toMatchObject({ status: 200, text: ANSWER.markdown });
    expect(answer.headers).toMatchObject({
      'content-type': 'text/markdown; charset=utf-8',
      vary: expect.stringContaining('Accept'),
    });
    expect(asked).toEqual([
      { program: 'Pokemon', prompt_hash: 'abcdef01', session: 'one', surface: 'http', place: PLACE },
    ]);
  });

  test('has its parameters in the query, or in the body', async () => {
    const { ask, asked } = await programs();
    const all = { mode: 'plan', wait: false, force: true, plan_commit_ref: 'pc0', request_id: 'r' };
    await ask(`${AT}?mode=plan&wait=false&force=true&plan_commit_ref=pc0&request_id=r`, { headers: TEXT, body: 'x' });
    await ask(AT, { body: { program: 'x', ...all } });
    await ask(`${AT}?wait=false`, { body: { program: 'x', wait: false }, headers: { 'idempotency-key': 'k' } });
    expect(asked[0]).toMatchObject(all);
    expect(asked[1]).toEqual(asked[0]);
    expect(asked[2]).toMatchObject({ wait: false, request_id: 'k' });
  });

  test('is answered in JSON where that is asked for', async () => {
    const { ask } = await programs();
    const { json } = await ask(AT, { headers: { accept: 'application/json' }, body: { program: 'x' } });
    const { markdown, rows, columns, meta } = ANSWER;
    expect(json).toEqual({ markdown, run_markdown: markdown, rows, columns, _meta: meta });
  });

  test('that was accepted has an address, with the name of its session as it is written there', async () => {
    const { ask } = await programs({ run: async () => ACCEPTED });
    const asked = { headers: { accept: 'application/json' }, body: { program: 'x' } };
    const answer = await ask('POST /execute/abcdef01/a%2Fb%20c', asked);
    expect(answer.status).toBe(202);
    expect(answer.headers.location).toBe('/execute/abcdef01/a%2Fb%20c/operations/s0_o1');
    expect(answer.json).toMatchObject({ operation: true, _meta: ACCEPTED.meta });
  });

  test.each([
    ['?wiat=false', { program: 'x' }, 'wiat'],
    ['?wait=no', { program: 'x' }, 'wait'],
    ['?mode=dry', { program: 'x' }, 'mode'],
    ['?wait=false', { program: 'x', wait: true }, 'wait: is false in the query and true in the body'],
    ['', { program: 'x', wait: 'false' }, 'wait'],
    ['', { program: 'x', forse: true }, 'forse'],
    ['', { program: 1 }, 'program'],
    ['', {}, 'program'],
    ['', '{"program": ', 'JSON'],
    ['', '', 'the body is empty'],
  ])('with %s and %j is refused in words', async (query, body, words) => {
    const { ask, asked } = await programs();
    const headers: Record<string, string> = typeof body === 'string' ? { 'content-type': 'application/json' } : {};
    const answer = await ask(AT + query, { headers, body });
    expect(answer).toMatchObject({ status: 422, json: { code: 'REQUEST_INVALID' } });
    expect(answer.json.detail).toContain(words);
    expect(asked).toEqual([]);
  });

  test('of another content type is not taken', async () => {
    const { ask } = await programs();
    const answer = await ask(AT, { headers: { 'content-type': 'text/csv' }, body: 'x' });
    expect(answer).toMatchObject({ status: 415, json: { code: 'MEDIA_TYPE_UNSUPPORTED' } });
  });

  test.each([
    ['REVIEW_REQUIRED', 409],
    ['COMMIT_UNKNOWN', 409],
    ['COMMIT_EXPIRED', 409],
    ['COMMIT_MISMATCH', 409],
    ['CATALOG_NOT_FOUND', 404],
    ['HANDLE_NOT_FOUND', 404],
    ['HANDLE_EXPIRED', 410],
    ['PROGRAM_INVALID', 422],
    ['OPERATION_FAILED', 502],
  ] as const)('that meets %s is answered %i', async (code, status) => {
    const { ask } = await programs({ run: () => Promise.reject(new Fault(code, 'why')) });
    expect(await ask(AT, { headers: TEXT, body: 'x' })).toMatchObject({ status, json: { code, detail: 'why' } });
  });
});

describe('a catalog', () => {
  test('is registered, or was before', async () => {
    const { ask } = await programs();
    const made = await ask('POST /catalogs', { body: 'catalog: 1' });
    expect(made).toMatchObject({ status: 201, json: { prompt_hash: 'abcdef01', entities: ['Pokemon'] } });
    expect(made.headers.location).toBe('/catalogs/abcdef01');
    const registered = { prompt_hash: 'abcdef01', name: 'pokedex', entities: [], created: false };
    const again = await programs({ registerCatalog: async () => registered });
    expect(await again.ask('POST /catalogs', { body: { catalog: 1 } })).toMatchObject({ status: 200 });
    expect(await ask('POST /catalogs')).toMatchObject({ status: 422 });
  });

  test('is taught as Markdown, or with its entities as JSON', async () => {
    const { ask } = await programs();
    const text = await ask('GET /catalogs/abcdef01');
    expect(text).toMatchObject({ status: 200, text: '# pokedex' });
    expect(text.headers['content-type']).toBe('text/markdown; charset=utf-8');
    const json = await ask('GET /catalogs/abcdef01', { headers: { accept: 'application/json' } });
    expect(json.json).toEqual({ prompt_hash: 'abcdef01', name: 'pokedex', entities: [], teaching: '# pokedex' });
  });
});

const OPERATION = {
  handle: 's0_o1',
  line: '`s0_o1` ! 3r',
  verdict: 'ok',
  plan_commit_ref: null,
  commit_id: 'c',
  program: 'x',
  plan_id: '11111111-1111-4111-8111-111111111111',
  accepted_at: '',
  ended_at: null,
  calls: null,
} as const;

describe('the lines of an operation', () => {
  const at = 'GET /execute/abcdef01/one/operations/s0_o1/stream';
  const over = {
    ...OPERATION,
    phase: 'succeeded' as const,
    op: { n: 3, '!': 1 as const },
    waiting_for: [],
    results: [],
  };

  test('come as server-sent events: plain lines, numbered, to the end', async () => {
    const { ask } = await programs({
      operation: async () => over,
      follow: async () =>
        async function* ({ after }) {
          if (after === undefined) yield { event: 'snapshot', line: '`s0_o1` +', n: 1 };
          yield { event: 'progress', line: '`s0_o1` ~ 1/1 Pokemon', n: 2 };
          yield { event: 'terminal', line: '`s0_o1` ! 3r', n: 3 };
        },
    });
    const all = await ask(at);
    expect(all.headers['content-type']).toMatch(/^text\/event-stream/);
    const progress = 'id: 2\nevent: progress\ndata: `s0_o1` ~ 1/1 Pokemon\n\n';
    const rest = `${progress}id: 3\nevent: terminal\ndata: \`s0_o1\` ! 3r\n\n`;
    expect(all.text).toBe(`id: 1\nevent: snapshot\ndata: \`s0_o1\` +\n\n${rest}`);
    expect((await ask(at, { headers: { 'last-event-id': '1' } })).text).toBe(rest);
    expect(await ask(at, { headers: { 'last-event-id': '3' } })).toMatchObject({ status: 204, text: '' });
    expect(await ask(at, { headers: { 'last-event-id': 'x' } })).toMatchObject({ status: 422 });
  });

  test('end when who reads them may no more', async () => {
    let lose: (why: Fault) => void = () => {};
    const watch: ApiOptions['watch'] = {
      lost: async () => undefined,
      over: (_request, _was, onLoss) => {
        lose = onLoss;
        return () => {};
      },
    };
    let gone = false;
    const { ask } = await programs(
      {
        operation: async () => ({ ...over, phase: 'running' }),
        follow: async () =>
          async function* ({ signal }) {
            yield { event: 'snapshot', line: '`s0_o1` +', n: 1 };
            setTimeout(() => lose(new Fault('UNAUTHENTICATED', 'the key was taken back')), 50);
            await new Promise((resolve) => signal.addEventListener('abort', resolve));
            gone = true;
          },
      },
      { watch },
    );
    expect((await ask(at)).text).toBe('id: 1\nevent: snapshot\ndata: `s0_o1` +\n\n');
    expect(gone).toBe(true);
  });

  test('of none are refused before the stream begins', async () => {
    const { ask } = await programs();
    expect(await ask(at)).toMatchObject({ status: 404, json: { code: 'HANDLE_NOT_FOUND' } });
  });
});

test('operations are listed before a number or a handle', async () => {
  const asked: unknown[] = [];
  const { ask } = await programs({
    operations: async (_caller, _session, page) => {
      asked.push(page);
      return { operations: [], next_before: null };
    },
  });
  const at = 'GET /execute/abcdef01/one/operations';
  for (const query of ['?before=3&limit=2', '?before=s0_o3', ''])
    expect(await ask(at + query)).toMatchObject({ status: 200 });
  expect(asked).toEqual([{ before: 3, limit: 2 }, { before: 's0_o3' }, {}]);
  expect(await ask(`${at}?before=x`)).toMatchObject({
    status: 422,
    json: { detail: 'before: has to be `next_before` of the page before, or the handle of an operation' },
  });
});

test('rows are asked for by whole numbers', async () => {
  const asked: unknown[] = [];
  const { ask } = await programs({
    rows: async (_caller, session, handle, request) => {
      asked.push({ session, handle, request });
      return { label: 'Pokemon', rows: [], columns: [], offset: 0, kept: 0, next_offset: null };
    },
  });
  const at = 'GET /execute/abcdef01/one/operations/s0_o1/rows';
  await ask(`${at}?offset=5&limit=2&of=Pokemon`);
  expect(asked).toEqual([
    {
      session: { prompt_hash: 'abcdef01', session: 'one', surface: 'http' },
      handle: 's0_o1',
      request: { offset: 5, limit: 2, of: 'Pokemon' },
    },
  ]);
  for (const query of ['?offset=-1', '?limit=x', '?page=2'])
    expect(await ask(at + query), query).toMatchObject({ status: 422, json: { code: 'REQUEST_INVALID' } });
  expect(await ask('GET /execute?after=1')).toMatchObject({
    status: 422,
    json: { detail: 'after: unknown word "after"; none is known here' },
  });
});

test('cancelling answers as the program does', async () => {
  const { ask } = await programs({ cancel: async () => ANSWER });
  expect(await ask('POST /execute/abcdef01/one/operations/s0_o1/cancel')).toMatchObject({ text: ANSWER.markdown });
});
