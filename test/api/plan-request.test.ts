import { describe, expect, test } from 'vitest';
import { type Ask, ID, PLACE, PLAN, serve } from './serve.ts';

const as = (type: string, body: string | Buffer = PLAN): Ask => ({ headers: { 'content-type': type }, body });
const FILE = { plan: 1, name: 'one', tasks: { a: { run: 'echo' } } };
const UUID = '22222222-2222-4222-8222-222222222222';

describe('what a plan is made from', () => {
  const everything = {
    inputs: { a: [1, null] },
    start_at: '2030-01-01T00:00:00Z',
    review: 'required',
    enrollment: { key: 'k', policy: 'once' },
    plan_id: UUID,
  };
  const cases: [string, Ask, object][] = [
    ['YAML', as('application/yaml'), { plan: PLAN }],
    ['YAML under its older names', as('text/yaml; charset=UTF-8'), { plan: PLAN }],
    ['YAML under its oldest name', as('application/x-yaml'), { plan: PLAN }],
    ['plain text', as('text/plain;charset="utf-8"'), { plan: PLAN }],
    ['text with a byte order mark', as('application/yaml', `\uFEFF${PLAN}`), { plan: PLAN }],
    ['JSON with the file as text', { body: { plan: PLAN } }, { plan: PLAN }],
    ['JSON with the file as an object', { body: { plan: FILE } }, { plan: JSON.stringify(FILE) }],
    ['JSON with all there is', { body: { plan: PLAN, ...everything } }, { plan: PLAN, ...everything }],
    [
      'a plan file in JSON, as it was written',
      as('application/json', JSON.stringify(FILE, null, 3)),
      { plan: JSON.stringify(FILE, null, 3) },
    ],
    ['a plan file in JSON that is not right', { body: { tasks: {} } }, { plan: '{"tasks":{}}' }],
    ['a plan file in JSON with steps', { body: { plan: 1, steps: [] } }, { plan: '{"plan":1,"steps":[]}' }],
    ['another JSON type', as('application/vnd.x+json', JSON.stringify({ plan: PLAN })), { plan: PLAN }],
  ];
  test.each(cases)('%s', async (_, asked, request) => {
    const { ask, calls } = await serve();
    const answer = await ask('POST /api/plans', asked);
    expect(answer.status, answer.text).toBe(201);
    expect(answer.headers.location).toBe(`/api/plans/${ID}`);
    expect(answer.json).toEqual({ plan_id: ID, created: true });
    expect(calls).toEqual([['create', { ...request, place: PLACE }]]);
  });
});

describe('what no plan is made from', () => {
  const deep = `${'['.repeat(100_000)}${']'.repeat(100_000)}`;
  const cases: [string, Ask, number, string, RegExp][] = [
    ['nothing', {}, 422, 'REQUEST_INVALID', /body is missing/],
    [
      'a form',
      as('application/x-www-form-urlencoded'),
      415,
      'MEDIA_TYPE_UNSUPPORTED',
      /send application\/yaml or application\/json/,
    ],
    ['another charset', as('application/yaml; charset=latin1'), 415, 'MEDIA_TYPE_UNSUPPORTED', /latin1; send .* UTF-8/],
    [
      'an unknown encoding',
      { headers: { 'content-encoding': 'lzma' }, body: PLAN },
      415,
      'MEDIA_TYPE_UNSUPPORTED',
      /lzma/,
    ],
    [
      'what is not gzip',
      { headers: { 'content-encoding': 'gzip' }, body: PLAN },
      422,
      'REQUEST_INVALID',
      /cannot be read/,
    ],
    ['more than 10 MB', { body: 'x'.repeat(10 * 1_024 * 1_024 + 1) }, 413, 'BODY_TOO_LARGE', /larger than 10mb/],
    ['bytes that are not UTF-8', as('application/yaml', Buffer.from([0x6e, 0xff])), 422, 'REQUEST_INVALID', /UTF-8/],
    ['a JSON text', as('application/json', '"plan"'), 422, 'REQUEST_INVALID', /the request: is the text "plan"/],
    [
      'JSON nested too deep',
      as('application/json', `{"plan":"","inputs":{"a":${deep}}}`),
      422,
      'REQUEST_INVALID',
      /nested deeper/,
    ],
    ['no file', { body: { inputs: {} } }, 422, 'REQUEST_INVALID', /plan: is empty; it has to be text or a map/],
    ['a file and parts of one', { body: { plan: PLAN, tasks: {} } }, 422, 'REQUEST_INVALID', /unknown word "tasks"/],
    ['an id that is none', { body: { plan: PLAN, plan_id: 'mine' } }, 422, 'REQUEST_INVALID', /plan_id: is not a UUID/],
    [
      'a misspelt word',
      { body: { plan: PLAN, strat_at: '' } },
      422,
      'REQUEST_INVALID',
      /strat_at.*did you mean "start_at"/,
    ],
    [
      'a misspelt word within',
      { body: { plan: PLAN, enrollment: { key: 'k', policy: 'once', kye: 1 } } },
      422,
      'REQUEST_INVALID',
      /enrollment\.kye.*"key"/,
    ],
  ];
  test.each(cases)('%s', async (_, asked, status, code, detail) => {
    const { ask, calls } = await serve();
    const answer = await ask('POST /api/plans', asked);
    expect(answer.json).toMatchObject({ status, code, detail: expect.stringMatching(detail) });
    expect(answer.status).toBe(status);
    expect(calls).toEqual([]);
  });

  test('several problems are told at once, each with its path', async () => {
    const { ask } = await serve();
    const { json } = await ask('POST /api/plans', { body: { plan: 7, review: 'yes', enrollment: { key: '' } } });
    const paths = json.errors?.map(({ path }) => path.join('.'));
    expect(paths).toEqual(['plan', 'review', 'enrollment.key', 'enrollment.policy']);
    expect(json.detail).toMatch(/^4 problems; the first: plan: is the number 7; it has to be text or a map/);
  });

  test.each([
    ['{"plan": "a",\n "inputs": {,}}', { line: 2, column: 13 }],
    ['{"plan": "a"', { line: 1, column: 13 }],
    ['{"plan":', { line: 1, column: 9 }],
    ['{"plan": a}', {}],
  ])('broken JSON is told with its place: %s', async (body, place) => {
    const { ask } = await serve();
    const { status, json } = await ask('POST /api/plans', as('application/json', body));
    expect([status, json.code]).toEqual([422, 'REQUEST_INVALID']);
    expect(json.errors).toEqual([{ message: expect.stringMatching(/not valid JSON/), path: [], ...place }]);
  });
});
