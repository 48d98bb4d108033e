import { setTimeout as delay } from 'node:timers/promises';
import { Client } from '@temporalio/client';
import { connectClient } from '../../src/temporal/connection.ts';
import { http, type newHome } from '../support/engine.ts';
import { checkPromises, type PlanToCheck, type Violation } from '../support/promises.ts';
import { until, type witness } from '../support/world.ts';

/** `HOLDPOINT_CHAOS=full` runs whole campaigns; without it, a sample of each. */
export const FULL = process.env.HOLDPOINT_CHAOS === 'full';

type Home = ReturnType<typeof newHome>;

/** A plan under faults, with its own witness. */
export interface Victim {
  id: string;
  marks: ReturnType<typeof witness>;
}

/** `a → (b, c) → d`, each marking its start and then taking `seconds`. */
export const diamond = (marks: Victim['marks'], seconds: number): string => {
  const task = (id: string, needs: string) =>
    `  ${id}: { needs: [${needs}], run: "${marks.mark(id)}; sleep ${seconds}" }\n`;
  return `plan: 1\nname: diamond\ntasks:\n${task('a', '')}${task('b', 'a')}${task('c', 'a')}${task('d', 'b, c')}`;
};

/** Waits until each plan has completed under the engine that runs now, and gives what broke its promises, by plan. */
export async function judge(home: Home, victims: Victim[]): Promise<{ violations: Violation[]; counts: number[] }[]> {
  const engine = await home.up();
  const api = http(engine.url);
  const connection = await connectClient({ address: engine.temporal });
  try {
    return await Promise.all(
      victims.map(async ({ id, marks }) => {
        await until('the plan completes', async () => (await api.state(id)) === 'completed', 60_000);
        const { tasks } = (await api.get(`/api/plans/${id}`)).json as { tasks: { id: string }[] };
        const plan: PlanToCheck = { client: new Client({ connection }), orgId: 'local', planId: id, witness: marks };
        return { violations: await checkPromises(plan), counts: tasks.map((task) => marks.n(task.id)) };
      }),
    );
  } finally {
    await connection.close();
    await engine.kill();
  }
}

/** Kills all that a home has: engine, Temporal server, commands. */
export async function killEverything(home: Home): Promise<void> {
  for (const pid of home.processes())
    try {
      process.kill(pid, 'SIGKILL');
    } catch {
      // It went with another.
    }
  while (home.processes().length > 0) await delay(20);
}
