import type { Task } from '../../api/types.ts';
import type { Story } from '../../live/story.ts';

/** How a stretch of a task's time looks: as the attempt ended, or what was waited for. */
export type SpanLook =
  | 'running'
  | 'succeeded'
  | 'failed'
  | 'cancelled'
  | 'interrupted'
  | 'people'
  | 'timer'
  | 'back_off';

/** Times in ms since the epoch; without `to` it goes on. */
export interface Span {
  from: number;
  to?: number;
  look: SpanLook;
  attempt?: number;
  /** Why it ended so. */
  message?: string;
}
export interface Row {
  task: Task;
  spans: Span[];
}

type StoryEvent = Extract<Story['entries'][number], { seq: number; at: string }>;

/** A row for every task that has begun in this run, or was taken over by it, those begun first on top. */
export function rowsOf(tasks: Task[], entries: Story['entries']): Row[] {
  const events = eventsByTask(entries);
  return tasks
    .filter(({ started_at, reused }) => started_at !== undefined || reused)
    .map((task) => ({ task, spans: task.reused ? [] : spansOf(task, events.get(task.id) ?? []) }))
    .map((row, n) => ({ row, n, from: row.spans[0]?.from ?? 0 }))
    .sort((a, b) => a.from - b.from || a.n - b.n)
    .map(({ row }) => row);
}

/** Of the run that is the last. */
export function eventsOfRun(entries: Story['entries']): StoryEvent[] {
  const all = entries.filter((entry): entry is StoryEvent => 'seq' in entry && 'at' in entry);
  return all.slice(all.findLastIndex(({ type }) => type === 'RunStarted') + 1);
}

function eventsByTask(entries: Story['entries']): Map<string, StoryEvent[]> {
  const byTask = new Map<string, StoryEvent[]>();
  for (const event of eventsOfRun(entries)) {
    if (event.task === undefined) continue;
    const list = byTask.get(event.task);
    if (list) list.push(event);
    else byTask.set(event.task, [event]);
  }
  return byTask;
}

/** What follows an event: the open stretch ends as `ends` says, and another begins. */
const MEANS: Partial<Record<StoryEvent['type'], { ends: SpanLook; begins?: SpanLook }>> = {
  TaskStarted: { ends: 'interrupted', begins: 'running' },
  QuestionOpened: { ends: 'failed', begins: 'people' },
  QuestionAnswered: { ends: 'succeeded' },
  QuestionTimedOut: { ends: 'failed' },
  TaskRetried: { ends: 'failed', begins: 'back_off' },
  TaskSucceeded: { ends: 'succeeded' },
  TaskFailed: { ends: 'failed' },
  TaskCancelled: { ends: 'cancelled' },
  TaskLost: { ends: 'interrupted' },
  TaskInterrupted: { ends: 'interrupted' },
};
/** Waiting stays what it was, however it ended. */
const WAITS: readonly SpanLook[] = ['people', 'timer', 'back_off'];

export function spansOf(task: Task, events: StoryEvent[]): Span[] {
  // The beginning may be older than what of the story is known, and what is in a sub-plan is told by the plan alone.
  if (!events.some(({ type }) => type === 'TaskStarted')) return [wholeOf(task)];
  const spans: Span[] = [];
  let open: Span | undefined;
  const close = (to: number, look: SpanLook, message?: string) => {
    if (!open) return;
    const isNothing = open.from >= to && look !== 'succeeded' && spans.includes(open);
    Object.assign(open, { to, ...(!WAITS.includes(open.look) && { look, ...(message !== undefined && { message }) }) });
    if (isNothing) spans.splice(spans.indexOf(open), 1);
    open = undefined;
  };
  for (const { type, at, attempt, message } of events) {
    const means = MEANS[type];
    if (!means) continue;
    const ms = Date.parse(at);
    close(ms, means.ends, type === 'QuestionOpened' ? undefined : message);
    if (!means.begins) continue;
    const look = means.begins === 'running' && task.kind === 'wait' ? 'timer' : means.begins;
    open = { from: ms, look, ...(attempt !== undefined && { attempt }) };
    spans.push(open);
  }
  if (open && task.ended_at !== undefined) close(Date.parse(task.ended_at), endOf(task.status));
  return spans;
}

const KINDS_OF_PEOPLE = ['approve', 'input', 'checkpoint'];

function wholeOf(task: Task): Span {
  const from = Date.parse(task.started_at ?? '');
  const isWait = task.kind === 'wait' ? 'timer' : KINDS_OF_PEOPLE.includes(task.kind) ? 'people' : undefined;
  if (task.ended_at !== undefined) return { from, to: Date.parse(task.ended_at), look: isWait ?? endOf(task.status) };
  if (task.status === 'backing_off') return { from, look: 'back_off' };
  if (task.status === 'pending') return { from, to: from, look: 'interrupted' };
  return { from, look: isWait ?? (task.status === 'waiting' ? 'people' : 'running') };
}

const endOf = (status: Task['status']): SpanLook =>
  status === 'failed' || status === 'cancelled' || status === 'succeeded' ? status : 'interrupted';

/** While the plan was paused. */
export function pausesOf(entries: Story['entries']): { from: number; to?: number; by?: string }[] {
  const pauses: { from: number; to?: number; by?: string }[] = [];
  for (const { type, at, by } of eventsOfRun(entries)) {
    const open = pauses.at(-1);
    const isOpen = open !== undefined && open.to === undefined;
    if (type === 'PlanPaused' && !isOpen) pauses.push({ from: Date.parse(at), ...(by !== undefined && { by }) });
    const isOver = ['PlanResumed', 'PlanStopped', 'PlanCompleted', 'PlanFailed'].includes(type);
    if (isOver && isOpen) open.to = Date.parse(at);
  }
  return pauses;
}
