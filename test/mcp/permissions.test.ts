import { afterAll, beforeAll, expect, test } from 'vitest';
import { TOOLS } from '../../src/mcp/tools.ts';
import { PERMISSIONS, type Permission } from '../../src/service/caller.ts';
import { startApi } from '../api/real.ts';
import { until } from '../support/world.ts';
import { rpcClient } from './rpc.ts';

let api: Awaited<ReturnType<typeof startApi>>;
beforeAll(async () => {
  api = await startApi();
});
afterAll(() => api.stop());

const GATE = 'plan: 1\nname: gate\ntasks:\n  ok: { approve: Go on? }\n';
const COMMAND = 'plan: 1\nname: command\ntasks:\n  a: { run: "false" }\n';

const NO_CATALOG = 'f'.repeat(32);

interface Access {
  needs: readonly Permission[];
  /** Besides the plan. */
  args?: object;
}

/** Every tool, and what its callers need. */
const ACCESS: Record<string, Access> = {
  plan_create: { needs: ['plan:create'], args: { plan: GATE } },
  plan_validate: { needs: ['plan:create'], args: { plan: GATE } },
  plan_status: { needs: ['plan:read'] },
  plan_wait: { needs: ['plan:read'] },
  plan_logs: { needs: ['plan:read'] },
  plan_list: { needs: ['plan:read'] },
  plan_pause: { needs: ['plan:approve'] },
  plan_answer: { needs: ['plan:approve'] },
  plan_stop: { needs: ['plan:approve', 'plan:read'] },
  plan_resume: { needs: ['plan:approve', 'plan:read'] },
  plan_retry: { needs: ['plan:approve'] },
  agents_run: { needs: ['plan:create'], args: { chat_id: 'c', message: 'Build it' } },
  agents_status: { needs: ['plan:read'], args: { chat_id: 'c' } },
  plasm: { needs: ['plan:create'], args: { program: 'Pokemon', prompt_hash: NO_CATALOG } },
  plasm_run: { needs: ['plan:create'], args: { program: 'Pokemon', prompt_hash: NO_CATALOG } },
  plasm_catalogs: { needs: ['plan:read'], args: { prompt_hash: NO_CATALOG } },
};
const OF_NO_PLAN = [
  ...['plan_create', 'plan_validate', 'plan_list', 'agents_run', 'agents_status'],
  ...['plasm', 'plasm_run', 'plasm_catalogs'],
];

test('every tool is here', () => {
  expect(Object.keys(ACCESS).sort()).toEqual(TOOLS.map(({ name }) => name).sort());
});

const as = (permissions: readonly string[]) =>
  rpcClient(api.url, { headers: { 'x-permissions': permissions.join(',') } });

async function newPlan(): Promise<string> {
  const { body } = await as(PERMISSIONS).tool('plan_create', { plan: GATE });
  await as(PERMISSIONS).tool('plan_wait', { plan_id: body.plan_id });
  return body.plan_id;
}

test.each(Object.entries(ACCESS))('%s is for those who have the permissions', async (tool, { needs, args }) => {
  const refusedTo = needs.map((one) => PERMISSIONS.filter((other) => other !== one && other !== 'admin'));
  for (const permissions of [['none'], ...refusedTo]) {
    const given = OF_NO_PLAN.includes(tool) ? args : { plan_id: await newPlan() };
    const { isError, body } = await as(permissions).tool(tool, given);
    expect({ permissions, isError, code: body.error?.code }).toEqual({
      permissions,
      isError: true,
      code: 'PLAN_FORBIDDEN',
    });
  }
  for (const permissions of [needs, ['admin']]) {
    const given = OF_NO_PLAN.includes(tool) ? args : { plan_id: await newPlan() };
    const { body } = await as(permissions).tool(tool, given);
    expect(['PLAN_FORBIDDEN', 'INTERNAL'], JSON.stringify(body)).not.toContain(body.error?.code);
  }
});

test('what is refused is not done', async () => {
  const plan_id = await newPlan();
  await as(['plan:approve']).tool('plan_stop', { plan_id });
  expect((await api.world.read(plan_id)).state.status).toBe('awaiting_input');
});

test('commands are for those who may run commands, also in a next run', async () => {
  const few = PERMISSIONS.filter((one) => one !== 'plan:run_commands' && one !== 'admin');
  expect((await as(few).tool('plan_create', { plan: COMMAND })).body.error.code).toBe('PLAN_FORBIDDEN');
  const { body } = await as(PERMISSIONS).tool('plan_create', { plan: COMMAND });
  const { plan_id } = body;
  await until('it failed', async () => (await api.world.read(plan_id)).state.status === 'failed');
  for (const tool of ['plan_resume', 'plan_retry'])
    expect((await as(few).tool(tool, { plan_id })).body.error.code, tool).toBe('PLAN_FORBIDDEN');
});
