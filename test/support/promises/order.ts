import type { PlanEvent } from '../../../src/plan/events.ts';
import { isTerminal } from '../../../src/plan/lifecycle.ts';
import { dispatches, eventsByRun, type Story, type Violation, withChildren } from './story.ts';

type Found = ReturnType<typeof dispatches>[number];
type Numbered = ReturnType<typeof eventsByRun>[number];

const broken = (message: string, at: string): Violation => ({ promise: 2, message, at });

/**
 * 2. No task starts before what it needs, while the plan is paused, or after an acknowledged stop. Judged by the histories:
 * an attempt belongs to the workflow task that scheduled it, whose time is that of the events the plan recorded in it.
 */
export function order(story: Story): Violation[] {
  if (story.events.length === 0) return [];
  const events = eventsByRun(story);
  const started = startedEvents(events);
  const own = dispatches(story).flatMap((dispatch) => {
    const event = started(dispatch);
    const name = `${dispatch.task}#${dispatch.attempt}.${dispatch.dispatch}`;
    if (!event) return [broken(`attempt ${name} was scheduled and no event says so`, dispatch.where)];
    return [...notHeld(events, event, name), ...needsEnded(story, events, dispatch, event, name)];
  });
  const children = story.children.flatMap((child) => [
    ...childHeld(events, child),
    ...childNeeds(story, events, child),
    ...order(child),
  ]);
  return [...own, ...children];
}

/** The `TaskStarted` of a dispatch: of its task and attempt, at its workflow task's time. Each is used once. */
function startedEvents(events: Numbered[]) {
  const free = new Map<string, Numbered[]>();
  const key = ({ task, attempt, at }: { task?: string; attempt?: number; at: number }) => `${task}#${attempt}@${at}`;
  for (const event of events)
    if (event.type === 'TaskStarted') free.set(key(event), [...(free.get(key(event)) ?? []), event]);
  return (dispatch: Found) => free.get(key(dispatch))?.shift();
}

function notHeld(events: Numbered[], started: Numbered, name: string): Violation[] {
  let held: PlanEvent | undefined;
  for (const event of events) {
    if (event.seq >= started.seq) break;
    held = heldBy(event, held);
  }
  return held ? [broken(`attempt ${name} started after ${held.type}`, `seq ${held.seq} and ${started.seq}`)] : [];
}

/** What keeps a plan's tasks from starting, from one event to the next. */
function heldBy(event: PlanEvent, held: PlanEvent | undefined): PlanEvent | undefined {
  if (event.type === 'RunStarted') return undefined;
  if (event.type === 'PlanStopped' || (event.state && isTerminal(event.state.status))) return event;
  if (held && held.type !== 'PlanPaused') return held;
  if (event.type === 'PlanPaused') return event;
  return event.type === 'PlanResumed' ? undefined : held;
}

const ENDS = ['TaskSucceeded', 'TaskFailed', 'TaskSkipped', 'TaskReused', 'TaskCancelled'];

function needsEnded(story: Story, events: Numbered[], dispatch: Found, started: Numbered, name: string): Violation[] {
  // What ended before this child began is judged with its parent.
  const own = (story.needs[dispatch.task] ?? []).filter((need) => need in story.needs);
  return own.flatMap((need) => {
    const told = events.filter(
      ({ run, task, seq, type }) => run === dispatch.run && task === need && seq < started.seq && ENDS.includes(type),
    );
    if (told.length === 0) return [broken(`attempt ${name} started before ${need} had ended`, `seq ${started.seq}`)];
    return dispatches(story)
      .filter((other) => other.task === need && other.run === dispatch.run && isBefore(other, dispatch))
      .filter((other) => !(other.end && endedBefore(other, dispatch)))
      .map((other) => broken(`attempt ${name} was scheduled while ${need} was still running`, other.where));
  });
}

const isBefore = (one: Found, other: Found) =>
  one.temporalRun < other.temporalRun || (one.temporalRun === other.temporalRun && one.id < other.id);
/** Its end was known to the workflow task that scheduled the other. */
const endedBefore = (one: Found, other: Found) =>
  one.temporalRun < other.temporalRun || (one.end !== undefined && one.end.id < other.by);

/**
 * Attempts that child workflows scheduled, by time alone: none while the plan was shown as paused or had ended. (A pause
 * takes a moment to reach a child; until then the plan is `pausing`, which is no pause yet.)
 */
function childHeld(events: Numbered[], child: Story): Violation[] {
  const spans = quietSpans(events);
  const own = dispatches(child).flatMap(({ task, at, where }) => {
    const span = spans.find(({ from, to }) => at > from && at < to);
    return span ? [broken(`attempt of ${task} was scheduled in a child while the plan was ${span.status}`, where)] : [];
  });
  return [...own, ...child.children.flatMap((grandchild) => childHeld(events, grandchild))];
}

/** A child that does a part of its parent's tasks: what these need has ended before, wherever it ran, judged by time. */
function childNeeds(story: Story, events: Numbered[], child: Story): Violation[] {
  const everywhere = withChildren(story).flatMap(dispatches);
  return withChildren(child)
    .flatMap(dispatches)
    .flatMap(({ task, at, where }) =>
      (story.needs[task] ?? []).flatMap((need) => {
        if (need in child.needs) return [];
        const completed = everywhere.some(({ task, end }) => task === need && end?.how === 'completed' && end.at <= at);
        const told = events.some((event) => event.task === need && ENDS.includes(event.type) && event.at <= at);
        return completed || told ? [] : [broken(`${task} was scheduled in a child before ${need} had ended`, where)];
      }),
    );
}

function quietSpans(events: Numbered[]) {
  const spans: { status: string; from: number; to: number }[] = [];
  for (const { type, state, at } of events) {
    const open = spans.at(-1);
    if (open?.to === Number.POSITIVE_INFINITY && (state || type === 'RunStarted' || type === 'PlanResumed'))
      open.to = at;
    if (state && (state.status === 'paused' || isTerminal(state.status)))
      spans.push({ status: state.status, from: at, to: Number.POSITIVE_INFINITY });
  }
  return spans;
}
