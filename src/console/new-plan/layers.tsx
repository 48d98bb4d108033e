import type { DryRun } from '../api/types.ts';

const MOST_LAYERS = 40;
const MOST_TASKS = 24;

/** What runs after what: those of a line may run at once, each when what it needs has ended. */
export function Layers({ dryRun: { layers, would_run } }: { dryRun: DryRun }) {
  const kinds = new Map(would_run.map((task) => [task.id, task]));
  return (
    <div>
      <h3>In this order</h3>
      <ol className="layers">
        {layers.slice(0, MOST_LAYERS).map((ids) => (
          <li key={ids[0]}>
            <span className="layer">
              {ids.slice(0, MOST_TASKS).map((id) => (
                <span key={id} className="layer-task">
                  <code>{id}</code> <span className="muted">{kindOf(kinds.get(id))}</span>
                </span>
              ))}
              {ids.length > MOST_TASKS && <span className="muted">and {ids.length - MOST_TASKS} more</span>}
            </span>
          </li>
        ))}
      </ol>
      {layers.length > MOST_LAYERS && <p className="muted">and {layers.length - MOST_LAYERS} more steps</p>}
    </div>
  );
}

/** What it is, in a few words. */
export function kindOf(task: DryRun['would_run'][number] | undefined): string {
  if (!task) return '';
  const { kind, for_each, when, max_attempts } = task;
  const what = for_each ? `${for_each.kind} for each of ${for_each.items ?? 'its'} items` : kind;
  return [
    what,
    ...(max_attempts === undefined ? [] : [`${max_attempts} attempts`]),
    ...(when === undefined ? [] : ['on a condition']),
  ].join(', ');
}
