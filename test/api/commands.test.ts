import { describe, expect, test } from 'vitest';
import { Fault } from '../../src/faults.ts';
import type { CommandAnswer } from '../../src/service/control-plan.ts';
import { type Ask, ID, PLAN, serve } from './serve.ts';

const answering = (answer: Partial<CommandAnswer>) => ({
  command: async (): Promise<CommandAnswer> => ({ request_id: 'r', result: 'done', ...answer }),
  outcome: async (): Promise<CommandAnswer> => ({ request_id: 'r', result: 'done', ...answer }),
});
const RECORD = { choice: 'ship', by: 'Ada', at: Date.UTC(2030, 0, 1) };
const SEEN = { choice: 'ship', by: 'Ada', at: '2030-01-01T00:00:00.000Z' };
const at = `/api/plans/${ID}`;

describe('commands reach the service', () => {
  const strict = { prefer: 'handling=strict' };
  const cases: [string, Ask, string, object][] = [
    ['PUT pause', {}, 'pause', {}],
    ['PUT pause', { headers: { 'content-type': 'application/json' } }, 'pause', {}],
    ['PUT pause', { body: ' ', headers: { 'content-type': 'application/json' } }, 'pause', {}],
    ['PUT pause', { headers: strict }, 'pause', { strict: true }],
    ['PUT pause', { headers: { 'x-request-id': 'not-of-the-command' } }, 'pause', {}],
    ['PUT resume', { body: {} }, 'resume', {}],
    ['PUT stop', { body: { request_id: 'r1', comment: 'why' } }, 'stop', { request_id: 'r1', comment: 'why' }],
    ['PUT approve', { body: { question: 'ok.1', choice: 'ship' } }, 'approve', { question: 'ok.1', choice: 'ship' }],
    ['PUT tasks/deploy/hold', {}, 'hold', { task: 'deploy' }],
    ['DELETE tasks/deploy/hold', { body: { comment: 'go' } }, 'release', { task: 'deploy', comment: 'go' }],
    ['POST questions/ok.1/answer', { body: { choice: 'ship' } }, 'answer', { question: 'ok.1', choice: 'ship' }],
    ['POST questions/ok/answer', { body: { values: { n: 1 } } }, 'answer', { question: 'ok', values: { n: 1 } }],
    ['POST questions/sub%2Fok.1/answer', { body: { choice: 'x' } }, 'answer', { question: 'sub/ok.1', choice: 'x' }],
    ['PUT tasks/each%5B3%5D/hold', {}, 'hold', { task: 'each[3]' }],
  ];
  test.each(cases)('%s %j', async (target, asked, name, request) => {
    const [method, path] = target.split(' ');
    const { ask, calls } = await serve();
    const answer = await ask(`${method} ${at}/${path}`, asked);
    expect([answer.status, answer.text]).toEqual([204, '']);
    expect(calls).toEqual([['command', ID, name, request]]);
  });
});

describe('commands that are not understood reach nobody', () => {
  const cases: [string, Ask, number, RegExp][] = [
    ['PUT pause', { body: { comment: 7 } }, 422, /comment: is the number 7/],
    ['PUT pause', { body: { coment: 'x' } }, 422, /did you mean "comment"/],
    ['PUT pause', { body: { choice: 'x' } }, 422, /unknown word "choice"/],
    ['PUT pause', { body: { request_id: '' } }, 422, /request_id: must not be empty/],
    ['PUT pause', { body: { request_id: 'x'.repeat(201) } }, 422, /longer than 200/],
    ['PUT pause', { body: '{"comment', headers: { 'content-type': 'application/json' } }, 422, /not valid JSON/],
    [
      'PUT pause',
      { body: 'a=b', headers: { 'content-type': 'application/x-www-form-urlencoded' } },
      415,
      /send application\/json/,
    ],
    ['POST runs', {}, 422, /mode: is empty; it has to be one of resume, retry/],
    ['POST runs', { body: { mode: 'again' } }, 422, /mode: is the text "again"; it has to be one of resume, retry/],
  ];
  test.each(cases)('%s %j', async (target, asked, status, detail) => {
    const [method, path] = target.split(' ');
    const { ask, calls } = await serve();
    const { json } = await ask(`${method} ${at}/${path}`, asked);
    expect([json.status, calls]).toEqual([status, []]);
    expect(json.detail).toMatch(detail);
  });
});

describe('how commands are answered', () => {
  const pending = { plan_id: ID, request_id: 'r 1', message: expect.stringMatching(/no worker has answered/) };
  const cases: [string, Partial<CommandAnswer>, number, object | undefined, object][] = [
    ['PUT pause', { result: 'accepted' }, 202, { plan_id: ID, request_id: 'r', pausing: true }, {}],
    [
      'PUT pause',
      { result: 'pending', request_id: 'r 1' },
      202,
      pending,
      { 'retry-after': '1', location: `${at}/commands/r%201` },
    ],
    ['DELETE tasks/a/hold', { result: 'pending', request_id: 'r 1' }, 202, pending, { 'retry-after': '1' }],
    ['PUT approve', { record: RECORD }, 204, undefined, {}],
    ['POST questions/ok/answer', { record: RECORD }, 200, SEEN, {}],
    ['POST questions/ok/answer', { result: 'pending', request_id: 'r 1' }, 202, pending, { 'retry-after': '1' }],
    ['GET commands/r', { result: 'accepted' }, 200, { request_id: 'r', result: 'accepted' }, {}],
    ['GET commands/r', { record: RECORD }, 200, { request_id: 'r', result: 'done', record: SEEN }, {}],
  ];
  test.each(cases)('%s, %j: %i', async (target, told, status, body, headers) => {
    const [method, path] = target.split(' ');
    const { ask } = await serve(answering(told));
    const answer = await ask(`${method} ${at}/${path}`);
    expect([answer.status, answer.json]).toEqual([status, body]);
    expect(answer.headers).toMatchObject(headers);
  });

  test('a refusal is its fault, and says that strictness was heard', async () => {
    const { ask } = await serve({ command: () => Promise.reject(new Fault('PLAN_INVALID_STATE', 'cannot pause')) });
    const { status, headers, json } = await ask(`PUT ${at}/pause`, { headers: { prefer: 'handling=strict' } });
    expect([status, json.code, json.detail]).toEqual([400, 'PLAN_INVALID_STATE', 'cannot pause']);
    expect(headers['preference-applied']).toBe('handling=strict');
    expect((await ask(`PUT ${at}/pause`)).headers).not.toHaveProperty('preference-applied');
  });
});

test('the next run', async () => {
  const { ask, calls } = await serve();
  const answer = await ask(`POST ${at}/runs`, { body: { mode: 'retry' } });
  expect([answer.status, answer.json]).toEqual([202, { plan_id: ID, mode: 'retry', resume_count: 1 }]);
  expect(answer.headers.location).toBe(at);
  expect(calls).toEqual([['nextRun', ID, { mode: 'retry' }]]);
});

test('the next run by an edited file, from a task on, and told first', async () => {
  const preview = { plan_id: ID, dry_run: true as const, reuse: ['a'], run: ['b'], reasons: { a: 'kept', b: 'new' } };
  const { ask, calls } = await serve({ nextRun: async () => preview });
  const body = { mode: 'resume', from: 'b', inputs: { n: 1 }, dry_run: true, request_id: 'one' };
  const text = await ask(`POST ${at}/runs`, { body: { ...body, plan: PLAN } });
  expect([text.status, text.json]).toEqual([200, preview]);
  await ask(`POST ${at}/runs`, { body: { ...body, plan: { plan: 1, name: 'n', tasks: {} } } });
  expect(calls).toEqual([
    ['nextRun', ID, { ...body, plan: PLAN }],
    ['nextRun', ID, { ...body, plan: '{"plan":1,"name":"n","tasks":{}}' }],
  ]);
});

test('the bundle, to be saved', async () => {
  const { ask } = await serve();
  const { status, headers, text } = await ask(`GET ${at}/bundle`);
  expect([status, headers['content-type'], text]).toEqual([200, 'application/zip', 'PK']);
  expect(headers['content-disposition']).toBe('attachment; filename=one.zip');
});

test('the timeline, from its beginning or after a seq, whole or page by page', async () => {
  const paused = { seq: 3, at: RECORD.at, type: 'PlanPaused' as const, by: 'Ada' };
  const gap = { type: 'gap' as const, from_seq: 1, seq: 2, message: 'removed by retention' };
  const { ask, calls } = await serve({ timeline: async () => ({ entries: [gap, paused], next_after: 3 }) });
  const entries = [gap, { ...paused, at: SEEN.at }];
  expect((await ask(`GET ${at}/timeline`)).json).toEqual({ entries });
  expect((await ask(`GET ${at}/timeline?after=2&limit=2`)).json).toEqual({ entries, next_after: 3 });
  await ask(`GET ${at}/timeline?after_seq=2`);
  expect(calls).toEqual([
    ['timeline', ID, { after: 0 }],
    ['timeline', ID, { after: 2, limit: 2 }],
    ['timeline', ID, { after: 2 }],
  ]);
  for (const wrong of ['after=-1', 'after_seq=x', 'limit=0', 'limit=10001', 'page=2'])
    expect((await ask(`GET ${at}/timeline?${wrong}`)).status, wrong).toBe(422);
});
