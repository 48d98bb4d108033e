import { childId } from '../../contract/names.ts';
import { pack } from '../../contract/packed.ts';
import type { Json } from '../../plan/json.ts';
import type { Snapshot } from '../../plan/snapshot.ts';
import type { Standing, StandingChild } from '../../plan/standing.ts';

/** How a workflow stood when it was ended; undefined when there is none of this id, or it had not begun. */
export type AskStanding = (id: string) => Promise<Standing | undefined>;
/** The value, or a reference to it where it is large. */
export type Keep = (value: Json) => Promise<Json>;

/** How a plan and all that worked for it stood, put together as a plan that ends by itself does. */
export async function leftBehind(id: string, ask: AskStanding, keep: Keep): Promise<Standing | undefined> {
  const whole = await ask(id);
  for (const child of whole?.children ?? []) {
    const of = await leftBehind(childId(id, child.key), ask, keep);
    // Of one that had not begun, there may be one of the same id that an earlier run had.
    if (of?.run === whole!.run) await MERGE[child.kind](whole!, of, child as never, keep);
  }
  return whole;
}

type Merge<Kind> = (
  whole: Standing,
  of: Standing,
  child: Extract<StandingChild, { kind: Kind }>,
  keep: Keep,
) => Promise<void>;

const MERGE: { [Kind in StandingChild['kind']]: Merge<Kind> } = {
  async segment({ snapshot }, of) {
    Object.assign(snapshot!.tasks, of.snapshot!.tasks);
  },

  async plan({ snapshot, items }, of, { task, item }, keep) {
    const left = await keep(pack<Snapshot>(of.snapshot!) as unknown as Json);
    Object.assign(items ? items[item]! : snapshot!.tasks[task]!, { left });
  },

  async batch({ snapshot }, of, { task, piece }, keep) {
    const items = await keep(of.items as unknown as Json);
    snapshot!.tasks[task]!.map!.batches[piece] = { ...of.batch!, items };
  },
};
