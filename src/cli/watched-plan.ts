import type { TaskMode } from '../plan/definition.ts';
import type { ReadPlan } from '../service/read-plan.ts';
import type { ToldTask } from './render/progress.ts';
import type { Link } from './stay-connected.ts';
import type { Watched } from './watch-plan.ts';

/** What watching a plan takes that somebody else has started: read from the plan itself. */
export async function watchedPlan(link: Link, plan_id: string): Promise<Watched> {
  return await link.ask(async ({ service, caller }) => {
    const view = await service.read(caller, plan_id);
    const events = await service.events(caller, plan_id, 0);
    const begin = events.findLast(({ type }) => type === 'RunStarted');
    const after = begin ? begin.seq - 1 : 0;
    const known = events.filter(({ seq }) => seq > after);
    const past = events.at(-1)?.seq ?? 0;
    return { plan_id, name: view.name, definition: { tasks: toldTasks(view) }, after, past, known };
  });
}

/** Kinds whose tasks do no work of their own. */
const MODES: Record<string, TaskMode> = {
  approve: 'question',
  input: 'question',
  checkpoint: 'question',
  set: 'value',
  wait: 'clock',
  map: 'map',
  plan: 'plan',
};

/** The plan's own tasks, as far as its view tells of them; those of sub-plans have a path. */
function toldTasks({ tasks, error }: ReadPlan): ToldTask[] {
  const own = tasks.filter(({ id }) => !id.includes('/'));
  const place = new Map(own.map(({ id }, i) => [id, i]));
  return own.map(({ id, kind, needs, handler, status }) => ({
    id,
    kind,
    mode: MODES[kind] ?? 'activity',
    needs: needs.flatMap((need) => place.get(need) ?? []),
    // A failure that has not failed the plan counts as done.
    on_failure: status === 'failed' && error?.task !== id ? 'continue' : 'fail',
    ...(handler && { handler }),
  }));
}
