import type { PlanDefinition } from './definition.ts';
import type { Gone } from './gone.ts';
import { mapAgain } from './map.ts';
import { type Decision, decide, type NextRun } from './reuse.ts';
import type { Snapshot, TaskSnapshot } from './snapshot.ts';
import { initialState, initialTask, type PlanState, type TaskState } from './state.ts';

/** The state that a plan's next run begins with: finished work kept where it still holds, numbering continued. */
export function nextRunState(definition: PlanDefinition, snapshot: Snapshot, how: NextRun, gone?: Gone): PlanState {
  const { run, generation, created_at, created_by, seq, segments, outcomes } = snapshot;
  const tells = snapshot.rules === 2;
  const tasks = decide(definition, snapshot, how, gone).map((decision, i): TaskState => {
    const before = snapshot.tasks[definition.tasks[i]!.id];
    if ('keep' in decision) return keptTask(decision.keep);
    if (how.mode === 'retry') return initialTask(before?.asked);
    return taskToRun(decision, before, tells);
  });
  return {
    ...initialState(definition, { by: created_by, at: created_at }),
    run: run + 1,
    generation: how.mode === 'retry' ? generation + 1 : generation,
    seq,
    segments,
    outcomes,
    tasks,
    inline_bytes: tasks.reduce((sum, task) => sum + (task.outputs ? JSON.stringify(task.outputs).length : 0), 0),
  };
}

function keptTask({ asked, again, outputs, files_in, made, ended_at, answered, settled }: TaskSnapshot): TaskState {
  return {
    ...initialTask(asked),
    status: settled?.status ?? 'succeeded',
    outputs,
    ...(files_in !== undefined && { files_in }),
    ...(made && { made }),
    ...(settled?.error && { error: settled.error }),
    ...(settled?.reason !== undefined && { reason: settled.reason }),
    ...(again !== undefined && { again }),
    ended_at,
    answered,
    reused: true,
  };
}

function taskToRun(
  { because, anew, goesOn, inside, expected }: Exclude<Decision, { keep: unknown }>,
  before: TaskSnapshot | undefined,
  tells: boolean,
): TaskState {
  const { asked, again = 0, made } = before ?? {};
  const { map = made?.map, left = made?.left } = before ?? {};
  const times = again + (anew && tells ? 1 : 0);
  return {
    ...initialTask(asked),
    ...(times > 0 && { again: times }),
    ...((anew || inside) && tells && { reason: `it runs again: ${because}` }),
    ...(expected && tells && { expected }),
    ...(goesOn && map && { map: mapAgain(map, inside?.items) }),
    ...(goesOn && left !== undefined && { left }),
    ...(goesOn && inside && { gone: inside }),
  };
}
