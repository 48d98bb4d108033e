import { dueAt } from './clocks.ts';
import { limitRemedy, limitWords } from './limits.ts';
import { mayStart, nameOf, type Plan, slotsTaken, taskAt } from './plan.ts';
import { isInLine } from './slot.ts';
import type { Hold, HoldReason } from './state.ts';

/** One thing the plan waits for, in data and in words. */
export interface WaitingFor {
  what:
    | 'review'
    | 'resume'
    | 'start_time'
    | 'question'
    | 'wait'
    | 'back_off'
    | 'release'
    | 'slot'
    | 'group'
    | 'next_run';
  task?: string;
  since?: string;
  until?: string;
  by?: string;
  text: string;
}

const iso = (ms: number) => new Date(ms).toISOString();
const PAUSED: Partial<Record<HoldReason, string>> = {
  paused: 'paused',
  interrupted: 'interrupted',
  server_restart: 'interrupted by a restart of the server,',
};

function pausedWords({ reason, since, by, limit }: Hold): string {
  if (limit) return `resume: ${limitWords(limit)} (since ${iso(since)}); ${limitRemedy(limit)}`;
  return `resume: ${PAUSED[reason]} by ${by} at ${iso(since)}`;
}

/** All that a plan waits for, in data and in words. */
export function waitingFor(plan: Plan, now: number): WaitingFor[] {
  const { state, index, definition } = plan;
  if (state.verdict) return [];
  const list: WaitingFor[] = [];
  const held = (what: 'review' | 'resume', hold: Hold, text: string) =>
    list.push({ what, since: iso(hold.since), by: hold.by, text });
  if (state.review) held('review', state.review, `review, since ${iso(state.review.since)}`);
  if (state.pause) held('resume', state.pause, pausedWords(state.pause));
  if (state.start_at !== undefined && !state.pause)
    list.push({ what: 'start_time', until: iso(state.start_at), text: `its start time, ${iso(state.start_at)}` });
  if (isInLine(plan)) {
    const { group, max } = definition.concurrency!;
    list.push({
      what: 'group',
      since: iso(state.slot!.since),
      text: `a slot of group ${group}, of which ${max} may run at once`,
    });
  }
  for (const i of index.questions) {
    const { id, opened_at, prompt } = state.tasks[i]!.question!;
    const since = iso(opened_at);
    list.push({
      what: 'question',
      task: nameOf(plan, i),
      since,
      text: `question ${id} since ${since}: ${prompt}`,
    });
  }
  for (const i of index.clocks) {
    const { at } = taskAt(plan, i);
    const due = dueAt(at.clock);
    if (at.question || due === undefined) continue;
    const until = iso(due);
    const [what, text] =
      at.status === 'backing_off' ? (['back_off', 'back-off'] as const) : (['wait', 'wait'] as const);
    list.push({ what, task: nameOf(plan, i), until, text: `${text} of ${nameOf(plan, i)} until ${until}` });
  }
  for (const i of index.held) {
    const { since, by } = state.tasks[i]!.hold!;
    const id = nameOf(plan, i);
    list.push({
      what: 'release',
      task: id,
      since: iso(since),
      by,
      text: `release of ${id}: held by ${by} since ${iso(since)}`,
    });
  }
  if (index.ready.length > 0 && mayStart(plan, now) && slotsTaken(plan) >= definition.max_parallel)
    list.push({
      what: 'slot',
      text: `a slot for ${index.ready.length} tasks: max_parallel is ${definition.max_parallel}`,
    });
  if (index.room === 'full')
    list.push({ what: 'next_run', text: 'what runs to end: the history is full, and goes on in a new one then' });
  return list;
}
