import { expect, test } from 'vitest';
import { findPlan } from '../../src/cli/find-plan.ts';
import type { Engine } from '../../src/cli/with-engine.ts';
import { Fault } from '../../src/faults.ts';
import { localCaller } from '../../src/service/caller.ts';
import type { ListRequest, PlanList } from '../../src/service/list-plans.ts';
import { ID, summary } from './fake-cli.ts';

const OTHER = '3f2b9c1e-ffff-4000-8000-000000000002';
const FAR = 'aaaaaaaa-0000-4000-8000-000000000003';

/** An engine that only lists: plans in pages, by the cursor's number. */
function lists(...pages: string[][]) {
  const asked: ListRequest[] = [];
  const service = {
    async list(_: unknown, request: ListRequest = {}): Promise<PlanList> {
      asked.push(request);
      const n = Number(request.cursor ?? 0);
      return { plans: pages[n]!.map((id) => summary(id)), next_cursor: n + 1 < pages.length ? String(n + 1) : null };
    },
  };
  const sessions = { '2026-01-31-0900-face-k3f9x': ID };
  const session = async (_: unknown, id: string) => {
    const plan_id = sessions[id as keyof typeof sessions];
    if (plan_id === undefined) throw new Fault('PLAN_NOT_FOUND', 'none');
    return { plan_id };
  };
  Object.assign(service, { session });
  return { asked, engine: { service, caller: localCaller('test') } as unknown as Engine };
}

test.each([
  [ID, ID],
  [ID.toUpperCase(), ID],
  ['3f2b9c1e-0', ID],
  ['3F2B9C1E-F', OTHER],
  ['aaaaaa', FAR],
  ['2026-01-31-0900-face-k3f9x', ID],
])('%s means %s', async (given, id) => {
  expect(await findPlan(lists([ID, OTHER], [FAR]).engine, given)).toBe(id);
});

test('a whole id is not looked up: whether there is such a plan, the command itself is told', async () => {
  const { engine, asked } = lists([]);
  await findPlan(engine, FAR);
  expect(asked).toEqual([]);
});

test.each([
  ['3f2b9c', 'USAGE', `"3f2b9c" means more than one plan: ${ID} (release), ${OTHER} (release)`],
  ['3f2b9', 'PLAN_NOT_FOUND', '"3f2b9" is too short to mean a plan; give 6 or more characters of its id'],
  ['bbbbbb', 'PLAN_NOT_FOUND', 'there is no plan whose id begins with "bbbbbb"'],
  [
    '2026-01-31-0900-face-k3f9y',
    'PLAN_NOT_FOUND',
    'there is no plan "2026-01-31-0900-face-k3f9y"; a plan is meant by its id, the beginning of that, or the id of its session',
  ],
  [
    'release',
    'PLAN_NOT_FOUND',
    'there is no plan "release"; a plan is meant by its id, the beginning of that, or the id of its session',
  ],
])('%s is refused: %s', async (given, code, message) => {
  await expect(findPlan(lists([ID, OTHER]).engine, given)).rejects.toMatchObject({ code, message });
});
