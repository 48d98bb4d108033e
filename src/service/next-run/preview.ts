import type { PlanDefinition } from '../../plan/definition.ts';
import type { Gone } from '../../plan/gone.ts';
import { type Decision, decide, type NextRun } from '../../plan/reuse.ts';
import type { Snapshot } from '../../plan/snapshot.ts';

/** What the next run would do; handlers, which depend on its ending, are left out. */
export interface RunPreview {
  plan_id: string;
  dry_run: true;
  /** Tasks whose ending is kept, in the order of the file. */
  reuse: string[];
  /** Tasks that run, or whose condition is decided. */
  run: string[];
  /** By task, why. */
  reasons: Record<string, string>;
}

/** By the function that the run itself begins with. */
export function previewOf(
  plan_id: string,
  definition: PlanDefinition,
  { snapshot, how, gone }: { snapshot: Snapshot; how: NextRun; gone: Gone },
): RunPreview {
  const decisions = decide(definition, snapshot, how, gone);
  const shown = definition.tasks.flatMap(({ id, handler }, i) => (handler ? [] : [{ id, decision: decisions[i]! }]));
  const ids = (keep: boolean) => shown.filter(({ decision }) => 'keep' in decision === keep).map(({ id }) => id);
  return {
    plan_id,
    dry_run: true,
    reuse: ids(true),
    run: ids(false),
    reasons: Object.fromEntries(shown.map(({ id, decision }) => [id, reasonOf(decision)])),
  };
}

function reasonOf(decision: Decision): string {
  if ('because' in decision) return decision.because;
  const { settled } = decision.keep;
  if (!settled) return 'it succeeded, and nothing that it depends on has changed';
  if (settled.status === 'skipped') return `it stays skipped: ${settled.reason ?? 'somebody decided so'}`;
  return 'it failed, the plan goes on all the same, and nothing that it depends on has changed';
}
