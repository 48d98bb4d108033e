import { expect } from 'vitest';

/** What makes plans: an engine's API as `http` has it, or the same as somebody. */
interface Api {
  create: (plan: string) => Promise<string>;
  get: (path: string) => Promise<{ status: number; json: PlanNow }>;
  put: (path: string) => Promise<{ status: number }>;
}
export interface PlanNow {
  state: { status: string };
  run: number;
  pausing: boolean;
  stopping: boolean;
  current_tasks: string[];
}

export const readPlan = async (api: Pick<Api, 'get'>, id: string): Promise<PlanNow> =>
  (await api.get(`/api/plans/${id}`)).json;

const reaches = (api: Api, id: string, is: (plan: PlanNow) => boolean) =>
  expect.poll(async () => is(await readPlan(api, id)), { timeout: 30_000, interval: 100 }).toBe(true);

const LONG = 'plan: 1\nname: long\ntasks:\n  a: { run: "sleep 3000" }\n  b: { needs: a, run: "true" }\n';
const WAIT = 'plan: 1\nname: waits\ntasks: { a: { wait: 2h } }\n';

/** One file and what is sent to it, for every state as its buttons see it. */
export const STATES = {
  pending_review: { file: 'plan: 1\nname: reviewed\nreview: required\ntasks: { a: { wait: 2h } }\n', sent: [] },
  stand_by: { file: WAIT, sent: [] },
  awaiting_input: { file: 'plan: 1\nname: asks\ntasks: { a: { approve: "Ship it?" } }\n', sent: [] },
  executing: { file: LONG, sent: [] },
  pausing: { file: LONG, sent: ['pause'] },
  paused: { file: WAIT, sent: ['pause'] },
  completed: { file: 'plan: 1\nname: completes\ntasks: { a: { run: "true" } }\n', sent: [] },
  failed: { file: 'plan: 1\nname: fails\ntasks:\n  a: { run: "true" }\n  b: { needs: a, run: "exit 3" }\n', sent: [] },
  stopped: { file: WAIT, sent: ['stop'] },
} as const;
export type StateName = keyof typeof STATES;

/** A new plan in a state; its id. */
export async function planIn(api: Api, name: StateName): Promise<string> {
  const { file, sent } = STATES[name];
  const id = await api.create(file);
  const before = sent.length === 0 ? name : file === LONG ? 'executing' : 'stand_by';
  await reaches(api, id, ({ state, current_tasks }) =>
    before === 'executing' ? current_tasks.length > 0 : state.status === before,
  );
  for (const command of sent) await api.put(`/api/plans/${id}/${command}`);
  await reaches(api, id, ({ state, pausing }) => (name === 'pausing' ? pausing : state.status === name));
  return id;
}
