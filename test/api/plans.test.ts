import { describe, expect, test } from 'vitest';
import { Fault } from '../../src/faults.ts';
import { ID, PLAN, serve } from './serve.ts';

const UUID = '22222222-2222-4222-8222-222222222222';

test('the same plan again is 200', async () => {
  const { ask } = await serve({ create: async () => ({ plan_id: ID, created: false }) });
  const answer = await ask('POST /api/plans', { body: PLAN });
  expect([answer.status, answer.json]).toEqual([200, { plan_id: ID, created: false }]);
});

test('the same Idempotency-Key names the same plan, another one another, and a plan_id outranks it', async () => {
  const { ask, calls } = await serve();
  for (const key of ['x', 'x', 'y']) await ask('POST /api/plans', { headers: { 'idempotency-key': key }, body: PLAN });
  await ask('POST /api/plans', { headers: { 'idempotency-key': 'x' }, body: { plan: PLAN, plan_id: UUID } });
  const [first, second, third, last] = calls.map(([, request]) => (request as { plan_id: string }).plan_id);
  expect(first).toMatch(/^[0-9a-f-]{36}$/);
  expect([second, third === first, last]).toEqual([first, false, UUID]);
});

test.each(['', 'é', 'a b', 'x'.repeat(201)])('the Idempotency-Key "%s" is refused', async (key) => {
  const { ask, calls } = await serve();
  const { json } = await ask('POST /api/plans', { headers: { 'idempotency-key': key }, body: PLAN });
  expect([json.status, json.code, calls]).toEqual([422, 'REQUEST_INVALID', []]);
});

test('a blocked enrollment names its blocker in a field of its own', async () => {
  const blocked_by = { plan_id: UUID, state: { status: 'paused' } };
  const { ask } = await serve({
    create: () => Promise.reject(new Fault('ENROLLMENT_BLOCKED', 'blocked', { blocked_by })),
  });
  const { json } = await ask('POST /api/plans', { body: { plan: PLAN, enrollment: { key: 'k', policy: 'once' } } });
  expect([json.status, json.code, json.blocked_by]).toEqual([409, 'ENROLLMENT_BLOCKED', blocked_by]);
});

test('the faults of a plan file are answered with their places', async () => {
  const errors = [{ message: 'no', path: ['tasks', 'a'], line: 3, column: 5 }];
  const { ask } = await serve({ create: () => Promise.reject(new Fault('PLAN_INVALID', 'line 3: no', { errors })) });
  const { status, json } = await ask('POST /api/plans', { body: PLAN });
  expect([status, json.code, json.errors]).toEqual([422, 'PLAN_INVALID', errors]);
});

describe('lists and views', () => {
  test.each([
    ['/api/plans', [['list', {}]]],
    [
      '/api/plans?limit=5&cursor=c&state=paused&name=n',
      [['list', { limit: 5, cursor: 'c', state: 'paused', name: 'n' }]],
    ],
    [
      '/api/plans?needs_attention=true&mine=true&label=team%3Dcore&label=env=prod&name_prefix=rel&enrollment=k',
      [
        [
          'list',
          { needs_attention: true, mine: true, labels: ['team=core', 'env=prod'], name_prefix: 'rel', enrollment: 'k' },
        ],
      ],
    ],
    ['/api/plans?mine=false&label=a=b', [['list', { labels: ['a=b'] }]]],
    [`/api/plans/${ID}`, [['read', ID]]],
    ['/api/plans/a%20b', [['read', 'a b']]],
  ])('GET %s', async (path, expected) => {
    const { ask, calls } = await serve();
    expect((await ask(`GET ${path}`)).status).toBe(200);
    expect(calls).toEqual(expected);
  });

  test.each([
    ['limit=many', /limit: has to be a whole number/],
    ['limit=1&limit=2', /limit: is a list/],
    ['mine=yes', /mine: is the text "yes"; it has to be one of true, false/],
    ['sate=paused', /"sate"; did you mean "state"/],
  ])('GET /api/plans?%s is refused', async (query, detail) => {
    const { ask, calls } = await serve();
    const { status, json } = await ask(`GET /api/plans?${query}`);
    expect([status, json.code, calls]).toEqual([422, 'REQUEST_INVALID', []]);
    expect(json.detail).toMatch(detail);
  });
});
