import { expect, test } from 'vitest';
import { localCaller } from '../../src/service/caller.ts';
import { PLAN, serve } from './serve.ts';

test('a good plan file is valid: what it would do is told, and nothing is made', async () => {
  const { ask, calls } = await serve();
  const { status, json } = await ask('POST /api/plans/validate', { body: PLAN });
  expect([status, calls]).toEqual([200, [['validate', { plan: PLAN }]]]);
  expect(json).toEqual({
    valid: true,
    name: 'one',
    tasks: ['a'],
    inputs: {},
    would_run: [{ id: 'a', kind: 'run', needs: [] }],
    would_skip: [],
    layers: [['a']],
    permissions: ['plan:create', 'plan:run_commands'],
    questions: [],
    longest: { ms: null, unlimited: ['a'] },
    warnings: [],
  });
});

test('a bad one is told with its places', async () => {
  const { ask } = await serve();
  const { status, json } = await ask('POST /api/plans/validate', { body: `${PLAN}  b: { run: x, needs: [zz] }\n` });
  expect([status, json.code]).toEqual([422, 'PLAN_INVALID']);
  expect(json.errors).toMatchObject([{ line: 5, column: expect.any(Number), message: expect.stringMatching(/zz/) }]);
});

test('inputs are checked with it', async () => {
  const { ask } = await serve();
  const plan = PLAN.replace('tasks:', 'inputs: { n: { type: integer } }\ntasks:');
  const check = (inputs: object) => ask('POST /api/plans/validate', { body: { plan, inputs } });
  expect((await check({ n: 1 })).status).toBe(200);
  expect((await check({ n: 'one' })).json.code).toBe('PLAN_INVALID');
});

test('it takes who may create plans', async () => {
  const { ask } = await serve({}, { callerOf: async () => ({ ...localCaller('rest'), permissions: ['plan:read'] }) });
  expect((await ask('POST /api/plans/validate', { body: PLAN })).json.code).toBe('PLAN_FORBIDDEN');
});
