import { isTerminal, NEEDS_ATTENTION, type PlanStatus } from '../plan/lifecycle.ts';
import type { Pushed } from '../service/hub/follow.ts';
import type { ReadPlan } from '../service/read-plan.ts';
import { timedSignal } from '../timed-signal.ts';
import { isUnanswered } from './plan-words.ts';
import type { Call } from './tool.ts';

export const UNTIL = ['attention', 'ended'] as const;
export type Until = (typeof UNTIL)[number];
/** `next_run`: the run that was waited for has ended, and a next one has begun; only of waits that go on as tasks. */
export const WAITED = ['ended', 'needs_attention', 'timeout', 'next_run'] as const;
export type Waited = (typeof WAITED)[number];

interface Wait {
  seconds: number;
  until: Until;
}

/** How often callers are told that the waiting goes on, and how often the plan is read for it at most. */
const TELL_MS = 10_000;
const READ_MS = 1_000;

/** Follows a plan until there is something to tell, for a bounded time; whatever happens to the waiting, the plan is not touched. */
export async function waitForPlan(call: Call, planId: string, { seconds, until }: Wait) {
  const { service, caller } = call;
  const begun = Date.now();
  const read = () => service.read(caller, planId);
  const tell = teller(call, () => (Date.now() - begun) / (seconds * 1_000));
  let view = await read();
  let waited = whyOver(view, until);
  if (waited) return { view, waited };
  const { pushed } = await service.follow(caller, planId, view.seq);
  await tell(view);
  const over = timedSignal(Math.max(0, begun + seconds * 1_000 - Date.now()));
  const signal = AbortSignal.any([call.signal, over.signal]);
  const rouse = rouser(call);
  const again = async () => {
    if (!view.freshness.live) view = await read();
    await tell(view);
  };
  const still = setInterval(() => void again().catch(() => {}), TELL_MS);
  try {
    let readAt = begun;
    for await (const news of pushed(signal)) {
      if (!isDecisive(news) && Date.now() - readAt < READ_MS) continue;
      readAt = Date.now();
      view = await read();
      waited = whyOver(view, until);
      if (waited) return { view, waited };
      rouse(view);
      await tell(view);
    }
  } finally {
    clearInterval(still);
    over.clear();
  }
  if (!call.signal.aborted) view = await read();
  return { view, waited: whyOver(view, until) ?? ('timeout' as const) };
}

/** Why there is something to tell now; undefined while there is nothing. */
export function whyOver({ state, questions }: ReadPlan, until: Until): Waited | undefined {
  if (isTerminal(state.status)) return 'ended';
  if (until === 'ended') return undefined;
  return questions.length > 0 || waits(state.status) ? 'needs_attention' : undefined;
}
const waits = (status: PlanStatus) => (NEEDS_ATTENTION as readonly PlanStatus[]).includes(status);

/** After these the plan may have ended or want something, which is told at once. */
const isDecisive = (news: Pushed): boolean =>
  news.what !== 'event' || news.event.state !== undefined || news.event.type === 'QuestionOpened';

/** Whoever waits has asked for the plan to go on; once for each time that nobody answers, for a start may take long. */
function rouser(call: Call) {
  let roused = false;
  return (view: ReadPlan): void => {
    if (isUnanswered(view) && !roused) void call.rouse().catch(() => {});
    roused = isUnanswered(view);
  };
}

/**
 * Tells how far the plan is, in steps; between two steps the time that has passed makes it rise. While no worker answers it is
 * not known how far that is, and nothing is told.
 */
function teller({ progress }: Call, passed: () => number) {
  let last = -1;
  let most = 0;
  return async (view: ReadPlan): Promise<void> => {
    const { done, total } = view.progress;
    const now = done + Math.min(0.99, passed());
    if (!progress || !view.freshness.live || now <= last) return;
    last = now;
    most = Math.max(most, total, now);
    await progress(now, most, progressText(view));
  };
}

/** How far a plan is, in words. */
export function progressText(view: ReadPlan): string {
  const { progress, current_task, waiting_for } = view;
  const { done, total, percentage } = progress;
  if (isUnanswered(view)) return 'No worker answers now';
  const at = current_task ?? waiting_for[0]?.text;
  return `Step ${done} of ${total} (${percentage}%)${at === undefined ? '' : `. ${at}`}`;
}
