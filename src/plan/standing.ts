import { batchLeft, hasFiles, type ItemLeft, itemsLeft } from './batch-left.ts';
import type { MapWords } from './definition.ts';
import { type Plan, taskAt } from './plan.ts';
import { type Snapshot, snapshotOf } from './snapshot.ts';
import type { BatchLeft } from './state.ts';

/** What a run that Temporal ended without asking it would leave; its history is replayed to tell. */
export interface Standing {
  run: number;
  /** Of a plan, a sub-plan or a segment: its own tasks alone. */
  snapshot?: Snapshot;
  /** Of a batch of a map's items. */
  batch?: Omit<BatchLeft, 'items'>;
  items?: ItemLeft[];
  /** What worked for it then, and knows how far it was itself. */
  children: StandingChild[];
}
/** `key`: its Workflow Id is its parent's, a slash, and this. */
export type StandingChild =
  | { kind: 'segment'; key: string }
  /** `task` is its id; of a batch, `item` the place among its items. */
  | { kind: 'plan'; key: string; task: string; item: number }
  | { kind: 'batch'; key: string; task: string; piece: number };

export function standingOf(plan: Plan, runId: string, batch?: Pick<MapWords, 'task'>): Standing {
  const { state, index, given, definition } = plan;
  const children = Array.from(index.children.values(), ({ key, what }): StandingChild => {
    if (what.kind === 'segment') return { kind: 'segment', key };
    const { id: task } = taskAt(plan, what.task).task;
    return what.kind === 'plan'
      ? { kind: 'plan', key, task, item: what.task - given }
      : { kind: 'batch', key, task, piece: what.piece };
  });
  const { run } = state;
  if (batch) {
    const files = hasFiles(plan);
    const left = { ...batchLeft(plan, batch, files), incomplete: true as const };
    return { run, batch: left, items: itemsLeft(plan, files), children };
  }
  const snapshot = snapshotOf(plan, runId);
  for (const { id } of definition.tasks.slice(0, given)) delete snapshot.tasks[id];
  // What is at work in a child has begun, though it has made no attempt of its own.
  for (const child of children)
    if (child.kind !== 'segment')
      snapshot.tasks[child.task]!.begun ??= definition.tasks.find(({ id }) => id === child.task)!.fingerprint;
  return { run, snapshot, children };
}
