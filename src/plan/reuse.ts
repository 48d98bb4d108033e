import type { PlanDefinition } from './definition.ts';
import type { Segment } from './events.ts';
import { mapAgain } from './map.ts';
import type { Outcome } from './outcome.ts';
import type { Plan } from './plan.ts';
import { initialState, initialTask, type PlanState, type TaskState } from './state.ts';

/** What the next run of a plan starts from; kept in the ending of the run before it. Tasks by id, for the file may be edited. */
export interface Snapshot {
  schema_version: 1;
  run: number;
  generation: number;
  created_at: number;
  created_by: string;
  seq: number;
  segments: Segment[];
  outcomes: Outcome[];
  tasks: Record<string, TaskSnapshot>;
}
type TaskSnapshot = Pick<TaskState, 'asked'> &
  Partial<Pick<TaskState, 'outputs' | 'files_in' | 'ended_at' | 'answered' | 'map' | 'left'>> & {
    /** Set for a succeeded task: what it was when it succeeded. */
    fingerprint?: string;
    /** Set for a map or sub-plan that began and did not succeed: what it was then. */
    begun?: string;
  };

export function snapshotOf({ definition, state }: Plan, runId: string): Snapshot {
  const { run, generation, created_at, created_by, seq, outcomes, segments } = state;
  const from_seq = (segments.at(-1)?.to_seq ?? 0) + 1;
  const tasks = state.tasks.map((at, i): [string, TaskSnapshot] => {
    const { asked, outputs, files_in, ended_at, answered, map, left } = at;
    const { id, fingerprint, handler } = definition.tasks[i]!;
    // Handlers belong to the ending of their own run.
    if (at.status === 'succeeded' && !handler)
      return [id, { asked, outputs, files_in, ended_at, answered, fingerprint }];
    return [id, map || left ? { asked, map, left, begun: fingerprint } : { asked }];
  });
  return {
    schema_version: 1,
    run,
    generation,
    created_at,
    created_by,
    seq,
    segments: [...segments, { run_id: runId, from_seq, to_seq: seq }],
    outcomes,
    tasks: Object.fromEntries(tasks),
  };
}

export type RunMode = 'resume' | 'retry';

/** Why each task would run, or that it is reused; the same function previews a resume and performs it. */
export function reuse(
  definition: PlanDefinition,
  snapshot: Snapshot,
  mode: RunMode,
  filesGone: Record<string, string[]> = {},
): (TaskSnapshot | { because: string })[] {
  return definition.tasks.map((task) => {
    const before = snapshot.tasks[task.id];
    if (mode === 'retry') return { because: 'the plan is retried from nothing' };
    if (!before) return { because: 'it is new in the plan' };
    if (before.fingerprint === undefined) return { because: 'it had not succeeded' };
    if (before.fingerprint !== task.fingerprint)
      return { because: 'its definition, its inputs or something it needs has changed' };
    const gone = filesGone[task.id];
    return gone ? { because: `files it made are gone or changed: ${gone.slice(0, 5).join(', ')}` } : before;
  });
}

/** The state that a plan's next run begins with: succeeded work kept where it still holds, numbering continued. */
export function nextRunState(
  definition: PlanDefinition,
  snapshot: Snapshot,
  mode: RunMode,
  filesGone: Record<string, string[]> = {},
): PlanState {
  const { run, generation, created_at, created_by, seq, segments, outcomes } = snapshot;
  const tasks = reuse(definition, snapshot, mode, filesGone).map((kept, i): TaskState => {
    const { id, fingerprint } = definition.tasks[i]!;
    const before = snapshot.tasks[id];
    const asked = before?.asked ?? 0;
    if ('because' in kept) {
      if (mode === 'retry' || before?.begun !== fingerprint) return initialTask(asked);
      const { map, left } = before;
      return { ...initialTask(asked), ...(map && { map: mapAgain(map) }), ...(left !== undefined && { left }) };
    }
    const { outputs, files_in, ended_at, answered } = kept;
    return {
      ...initialTask(asked),
      status: 'succeeded',
      outputs,
      ...(files_in !== undefined && { files_in }),
      ended_at,
      answered,
      reused: true,
    };
  });
  return {
    ...initialState(definition, { by: created_by, at: created_at }),
    run: run + 1,
    generation: mode === 'retry' ? generation + 1 : generation,
    seq,
    segments,
    outcomes,
    tasks,
    inline_bytes: tasks.reduce((sum, task) => sum + (task.outputs ? JSON.stringify(task.outputs).length : 0), 0),
  };
}
