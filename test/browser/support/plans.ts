import type { PlanStatus } from '../../../src/plan/lifecycle.ts';
import { until } from '../../support/world.ts';
import type { Console } from './console.ts';

const named = (name: string, rest: string) => `{plan: 1, name: ${name}, ${rest}}`;
const WAITS = 'tasks: {w: {wait: 1h}}';

/** How a plan comes to each state: its file, and the command that it is sent. */
const MADE: Record<PlanStatus, [rest: string, command?: 'pause' | 'stop']> = {
  pending_review: [`review: required, ${WAITS}`],
  stand_by: [WAITS],
  awaiting_input: ['tasks: {ok: {approve: "Go on?"}}'],
  executing: ['tasks: {a: {run: "echo"}, b: {needs: a, run: "sleep 3600"}, c: {needs: b, run: "echo"}}'],
  paused: [WAITS, 'pause'],
  completed: ['tasks: {a: {set: {x: 1}}}'],
  failed: ['tasks: {a: {run: "exit 3"}}'],
  stopped: [WAITS, 'stop'],
};

/** Makes a plan that stands in a state, and stays in it. */
export async function planIn({ api }: Console, status: PlanStatus, name: string = status): Promise<string> {
  const [rest, command] = MADE[status];
  const id = await api.create(named(name, rest));
  if (command) {
    await until('it waits', async () => (await api.state(id)) === 'stand_by');
    await api.put(`/api/plans/${id}/${command}`);
  }
  await until(`it is ${status}`, async () => (await api.state(id)) === status);
  return id;
}
