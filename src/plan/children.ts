import type { Child, Told } from './child.ts';
import type { EventType, PlanEvent } from './events.ts';
import { isIterationStart } from './iteration.ts';
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
  const limited = state.pause?.limit;
  const both = { questions, ...(index.heard !== undefined && { heard: index.heard }), ...(limited && { limited }) };
  if (status !== 'stand_by') return { status, ...both };
  const next = nextStart(plan)!;
  return next - now < SHORT_WAIT_MS ? { status: 'executing', ...both } : { status, next, ...both };
}

/** What people did and were asked in a child is told at once, and its failures when it ends: its plan's story has them. */
export const TOLD_AT_ONCE: readonly EventType[] = [
  'QuestionOpened',
  'QuestionAnswered',
  'QuestionTimedOut',
  'TaskHeld',
  'TaskReleased',
  'LimitWarning',
];
const TOLD_AT_END: readonly EventType[] = [...TOLD_AT_ONCE, 'TaskFailed'];

/** Events of these types that the parent has not been told of; they count as told from now on. */
export function untold({ state, index }: Plan, types = TOLD_AT_END): PlanEvent[] {
  const isNew = ({ seq, type, details }: PlanEvent) =>
    !index.told.has(seq) && (types.includes(type) || (type === 'TaskStarted' && isIterationStart(details)));
  const events = state.events.filter(isNew);
  for (const { seq } of events) index.told.add(seq);
  return events;
}

/** A pause or a stop has come to this plan; where it was taken, what works for it has yet to take it, too. */
export function heardBy({ index }: Plan, requestId: string, taken: boolean): void {
  if (!taken || index.children.size === 0) index.heard = requestId;
  else index.unheard.set(requestId, new Set(index.children.keys()));
}

/** A child has taken what it was told, or has ended. */
export function childHeard({ index }: Plan, key: string, heard?: string): void {
  for (const [requestId, keys] of index.unheard) {
    if (heard === undefined || heard === requestId) keys.delete(key);
    if (keys.size > 0) continue;
    index.unheard.delete(requestId);
    index.heard = requestId;
  }
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
