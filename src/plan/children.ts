import type { Child, Told } from './child.ts';
import { nextStart, type Plan, planState } from './plan.ts';

/** A wait shorter than this is not told: it would cost both histories more than it says. */
const SHORT_WAIT_MS = 10_000;

/** Questions told of; that there are more is seen in the child itself. */
const MOST_TOLD = 20;

/** What this plan, as a child, would tell its parent now. */
export function toTell(plan: Plan, now: number): Told {
  const { state, index } = plan;
  const own = Array.from(index.questions, (i) => state.tasks[i]!.question!);
  const children = Array.from(index.children.values(), ({ told }) => told?.questions ?? []).flat();
  const questions = [...own, ...children].slice(0, MOST_TOLD).map(({ id, kind }) => ({ id, kind }));
  const { status } = planState(plan);
  if (status !== 'stand_by') return { status, questions };
  const next = nextStart(plan)!;
  return next - now < SHORT_WAIT_MS ? { status: 'executing', questions } : { status, next, questions };
}

/** The child at work that a question or task of this name is in. */
export function childOf({ path, definition, index }: Plan, name: string | undefined): Child | undefined {
  if (name === undefined || index.children.size === 0) return undefined;
  const local = name.startsWith(path) ? name.slice(path.length) : name;
  for (const child of index.children.values()) {
    if (child.what.kind === 'segment') {
      const i = index.byId.get(local);
      if (i !== undefined && child.what.tasks.includes(i)) return child;
      continue;
    }
    const { id } = definition.tasks[child.what.task]!;
    if (child.what.kind === 'plan' ? local.startsWith(`${id}/`) : isIn(child.what, id, local)) return child;
  }
  return undefined;
}

/** Items of a map are called `map[n]`. */
function isIn({ from, to }: { from: number; to: number }, id: string, name: string): boolean {
  const [, n] = /^\[(\d+)\]/.exec(name.startsWith(id) ? name.slice(id.length) : '') ?? [];
  return n !== undefined && Number(n) >= from && Number(n) < to;
}
