import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { readModels } from '../../src/activities/llm/models.ts';
import { localCaller, type Permission } from '../../src/service/caller.ts';
import { mustConform } from '../support/conforms.ts';
import { type LlmStub, llmStub } from '../support/llm-stub.ts';
import { startWorld, until } from '../support/world.ts';
import { type Ask, serve } from './serve.ts';

let world: Awaited<ReturnType<typeof startWorld>>;
let stub: LlmStub;
beforeAll(async () => {
  stub = await llmStub(() => ({ text: 'done', input_tokens: 0, output_tokens: 100_000 }));
  const settings = { baseUrl: stub.base_url, model: 'stub', modelsFile: undefined, key: () => 'sk-0123456789abcdef' };
  world = await startWorld({ models: await readModels(settings) });
});
afterAll(async () => {
  await world.stop();
  stub.stop();
});

let orgs = 0;
/** Asks as somebody of an organisation of its own; every answer has to be one that the API's description has. */
async function api(permissions: readonly Permission[] = ['admin']) {
  const { principal, ...local } = localCaller('test');
  const caller = { ...local, permissions, principal: { ...principal, org_id: `api-${process.pid}-${++orgs}` } };
  const { ask } = await serve(world.service, { callerOf: async () => caller });
  return async (target: string, body?: Ask['body']) => {
    const answer = await ask(target, body === undefined ? {} : { body });
    mustConform(target, answer);
    return answer;
  };
}

const NONE = { maxTokensPerChat: null, maxTokensPerDay: null, maxCostPerDay: null, maxCostPerProject: null };

describe('limits', () => {
  test('there are none at first; what is not named stays, null lifts', async () => {
    const ask = await api();
    expect((await ask('GET /settings/limits')).json).toMatchObject({ ...NONE, limits: NONE });
    const set = await ask('PUT /settings/limits', { maxTokensPerChat: 350_000, maxCostPerDay: 2.5 });
    expect([set.status, set.json.limits]).toEqual([200, { ...NONE, maxTokensPerChat: 350_000, maxCostPerDay: 2.5 }]);
    await ask('PUT /settings/limits', { maxTokensPerChat: null });
    const { json } = await ask('GET /settings/limits');
    expect(json).toMatchObject({
      maxTokensPerChat: null,
      maxCostPerDay: 2.5,
      spent: { today: { tokens: 0, cost: 0 } },
    });
  });

  test.each([
    ['{"maxTokensPerChat": -1}', 'maxTokensPerChat'],
    ['{"maxTokensPerChat": 1.5}', 'maxTokensPerChat'],
    ['{"maxTokens": 1}', 'maxTokens'],
  ])('%s is refused', async (body, named) => {
    const ask = await api();
    const refused = await ask('PUT /settings/limits', JSON.parse(body) as object);
    expect([refused.status, refused.json.code]).toEqual([422, 'REQUEST_INVALID']);
    expect(refused.json.detail).toContain(named);
  });

  test('are changed by administrators alone', async () => {
    const ask = await api(['plan:read', 'plan:approve']);
    expect((await ask('GET /settings/limits')).status).toBe(200);
    expect((await ask('PUT /settings/limits', { maxTokensPerDay: 1 })).status).toBe(403);
  });
});

test('a plan that is held is refused with the numbers until its budget is raised', async () => {
  const ask = await api();
  const task = 'llm: { prompt: x, max_output_tokens: 10 }';
  const plan = `plan: 1\nname: p\nbudget: { max_tokens: 50000 }\nsteps: [{ id: a, ${task} }, { id: b, ${task} }]\n`;
  const { plan_id } = (await ask('POST /api/plans', { plan })).json;
  const held = await until('it is held', async () => {
    const { json } = await ask(`GET /api/plans/${plan_id}`);
    return (json.state as { status: string }).status === 'paused' && json;
  });
  expect(held.hold).toMatchObject({ reason: 'cost_limit', details: { spent: 100_000, max: 50_000 } });
  const refused = await ask(`PUT /api/plans/${plan_id}/resume`);
  expect(refused.json).toMatchObject({
    status: 409,
    code: 'COST_LIMIT',
    errorType: 'cost_limit',
    limit: 'plan',
    spent: 100_000,
    max: 50_000,
    missing: 50_011,
    unit: 'tokens',
  });
  expect(refused.json.detail).toMatch(/100,000 of 50,000 tokens .* 50,011 tokens are missing/);
  expect((await ask(`GET /api/plans/${plan_id}/budget`)).json).toMatchObject({
    budget: { max_tokens: 50_000, max_cost: null },
    spent: { tokens: 100_000 },
  });
  const raised = await ask(`PUT /api/plans/${plan_id}/budget`, { max_tokens: 300_000 });
  expect(raised.json.budget).toEqual({ max_tokens: 300_000, max_cost: null });
  expect((await ask(`PUT /api/plans/${plan_id}/resume`)).status).toBe(204);
  await until('it has completed', async () => {
    const { json } = await ask(`GET /api/plans/${plan_id}`);
    return (json.state as { status: string }).status === 'completed';
  });
  expect((await ask('PUT /api/plans/11111111-1111-4111-8111-111111111111/budget', { max_tokens: 1 })).status).toBe(404);
});
