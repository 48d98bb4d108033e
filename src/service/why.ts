import { formatDuration } from '../plan/duration.ts';
import type { JsonObject } from '../plan/json.ts';
import type { QuestionView } from '../plan/view.ts';
import type { WaitingFor } from '../plan/waiting-for.ts';
import type { ReadPlan } from './read-plan.ts';

/** One reason why a plan, or a task of it, is where it is: in data, in words, and by what it would go on. */
export interface Reason {
  what:
    | WaitingFor['what']
    | 'running'
    | 'queued'
    | 'pausing'
    | 'stopping'
    | 'needs'
    | 'turn'
    | 'handler'
    | 'no_worker'
    | 'failed'
    | 'skipped'
    | 'cancelled'
    | 'stopped'
    | 'succeeded'
    | 'completed';
  task?: string;
  since?: string;
  until?: string;
  by?: string;
  text: string;
  ways: Way[];
}

/** What would let it go on: a command of the plan, with what it takes. */
export type Way =
  | { command: 'approve' | 'resume' | 'retry' }
  | { command: 'release'; task: string }
  | { command: 'answer'; question: string; options: string[]; form?: JsonObject };

type Task = ReadPlan['tasks'][number];

/** Why the plan is where it is, most pressing first. Pure: `now` in ms since the epoch, only to say how long. */
export function whyPlan(view: ReadPlan, now: number): Reason[] {
  const { state, freshness, waiting_for, tasks, error } = view;
  if (!freshness.live && error?.code !== 'ENDED_OUTSIDE')
    return [reason('no_worker', freshness.message ?? 'no worker is polling; last known state')];
  const ending = ENDINGS[state.status as keyof typeof ENDINGS];
  if (ending) return ending(view);
  const under = tasks.filter(({ status }) => status === 'running').map((task) => whyRunning(task, now));
  return [...beingHeld(view), ...waiting_for.filter(isTold(view)).map((one) => whyWaiting(view, one, now)), ...under];
}

/** Why a task is where it is; what it waits for is followed to what that waits for. Undefined when there is no such task. */
export function whyTask(view: ReadPlan, id: string, now: number): Reason[] | undefined {
  const task = view.tasks.find((one) => one.id === id);
  return task && (TASKS[task.status] as (view: ReadPlan, task: Task, now: number) => Reason[])(view, task, now);
}

function reason(what: Reason['what'], text: string, more: Partial<Reason> = {}): Reason {
  return { what, text, ways: [], ...more };
}

const NEXT_RUN: Way[] = [{ command: 'resume' }, { command: 'retry' }];

const ENDINGS = {
  completed: ({ tasks, updated_at }: ReadPlan): Reason[] => [
    reason('completed', 'it has completed', { since: updated_at }),
    ...tasks
      .filter(({ status }) => status === 'failed')
      .map(({ id, error }) =>
        reason('failed', `${id} failed, and was not needed: ${error?.message ?? 'no reason is known'}`, { task: id }),
      ),
    ...skips(tasks),
  ],
  failed({ error, tasks }: ReadPlan): Reason[] {
    const failed = tasks.find(({ id }) => id === error?.task);
    const text = `${error?.task ? `task ${error.task} failed: ` : 'it failed: '}${error?.message ?? 'no reason is known'}`;
    const more = { ...(error?.task && { task: error.task }), ...(failed?.ended_at && { since: failed.ended_at }) };
    return [reason('failed', text, { ...more, ways: NEXT_RUN }), ...skips(tasks)];
  },
  stopped({ error, tasks, updated_at }: ReadPlan): Reason[] {
    const by = tasks.find(({ reason }) => reason?.startsWith('stopped by '))?.reason;
    const text = error?.message ?? by ?? 'it was stopped';
    return [reason('stopped', text, { since: updated_at, ways: NEXT_RUN }), ...skips(tasks)];
  },
} as const;

/** What was left out, together where it is for the same reason. */
function skips(tasks: readonly Task[]): Reason[] {
  const because = new Map<string, { what: 'skipped' | 'cancelled'; ids: string[] }>();
  for (const { id, status, reason = 'no reason is known' } of tasks) {
    if (status !== 'skipped' && status !== 'cancelled') continue;
    const key = `${status} ${reason}`;
    because.set(key, { what: status, ids: [...(because.get(key)?.ids ?? []), id] });
  }
  return Array.from(because, ([key, { what, ids }]) => {
    const text = `${what}: ${some(ids)}, because ${key.slice(what.length + 1)}`;
    return reason(what, text, ids.length === 1 ? { task: ids[0]! } : {});
  });
}

const NAMED = 5;
const some = (ids: readonly string[]): string =>
  ids.length <= NAMED ? ids.join(', ') : `${ids.slice(0, NAMED).join(', ')} and ${ids.length - NAMED} more`;

function beingHeld({ pausing, stopping, waiting_for, current_tasks }: ReadPlan): Reason[] {
  const { by, since } = waiting_for.find(({ what }) => what === 'resume') ?? {};
  const waits = current_tasks.length > 0 ? `: ${some(current_tasks)}` : '';
  const ways: Way[] = [{ command: 'resume' }];
  if (stopping) return [reason('stopping', `it is being stopped; what runs is being ended${waits}`)];
  if (!pausing) return [];
  const text = `${by ? `${by} has paused it` : 'it is being paused'}; what runs ends first${waits}`;
  return [reason('pausing', text, { ways, ...(by && { by }), ...(since && { since }) })];
}

/** A pause that still waits for what runs has been told. */
const isTold =
  ({ pausing }: ReadPlan) =>
  ({ what }: WaitingFor): boolean =>
    !(pausing && what === 'resume');

function whyWaiting(view: ReadPlan, { what, task, since, until, by, text }: WaitingFor, now: number): Reason {
  const question = what === 'question' ? questionOf(view, task) : undefined;
  const more = { ...(task && { task }), ...(since && { since }), ...(until && { until }), ...(by && { by }) };
  const told = WORDS[what]?.({ task: task ?? '', by: by ?? 'somebody', span: spanTo(since ?? until, now), question });
  return reason(what, told ?? `it waits for ${text}`, { ...more, ways: waysOf(what, task, question) });
}

interface Told {
  task: string;
  by: string;
  /** For how long already, or how long still. */
  span: string;
  question?: QuestionView;
}

const WORDS: Partial<Record<WaitingFor['what'], (told: Told) => string>> = {
  review: ({ span }) => `the plan has waited ${span} for review`,
  resume: ({ by, span }) => `${by} has paused it, ${span} ago`,
  start_time: ({ span }) => `its start time comes in ${span}`,
  question: ({ task, span, question }) =>
    `${task} has waited ${span} for an answer${question ? `: ${question.prompt}` : ''}`,
  wait: ({ task, span }) => `${task} lets time pass, for ${span} more`,
  back_off: ({ task, span }) => `${task} has failed and is tried again in ${span}`,
  release: ({ task, by, span }) => `${task} is held by ${by}, for ${span}`,
};

function waysOf(what: WaitingFor['what'], task: string | undefined, question: QuestionView | undefined): Way[] {
  if (what === 'review') return [{ command: 'approve' }];
  if (what === 'resume') return [{ command: 'resume' }];
  if (what === 'release' && task) return [{ command: 'release', task }];
  if (!question) return [];
  const { id, options, form } = question;
  return [{ command: 'answer', question: id, options, ...(form && { form }) }];
}

const questionOf = ({ questions }: ReadPlan, task: string | undefined) => questions.find((open) => open.task === task);

const spanTo = (iso: string | undefined, now: number): string => {
  const ms = iso === undefined ? 0 : Math.abs(now - Date.parse(iso));
  return formatDuration(ms < 1_000 ? ms : Math.floor(ms / 1_000) * 1_000);
};

function whyRunning(task: Task, now: number): Reason {
  const { id, kind, attempt, max_attempts, started_at, queued, silent_ms, items } = task;
  const since = started_at && { since: started_at };
  if (queued) return reason('queued', `${id} waits: no worker has taken it yet`, { task: id, ...since });
  const facts = [
    started_at && `for ${spanTo(started_at, now)}`,
    attempt > 1 && `attempt ${attempt} of ${Math.max(attempt, max_attempts)}`,
    items && `${items.succeeded + items.failed + items.skipped} of ${items.total} items done`,
    silent_ms !== undefined && `no output for ${formatDuration(silent_ms)}`,
  ];
  return reason('running', `${id} (${kind}) runs ${facts.filter(Boolean).join(', ')}`.trim(), { task: id, ...since });
}

const TASKS: Record<Task['status'], (view: ReadPlan, task: Task, now: number) => Reason[]> = {
  pending: whyPending,
  running(view, task, now) {
    const inside = view.waiting_for.filter(({ task: other }) => other !== undefined && isInside(other, task.id));
    return [whyRunning(task, now), ...inside.map((one) => whyWaiting(view, one, now))];
  },
  waiting: whyWaits,
  backing_off: whyWaits,
  succeeded: (_, { id, reused, reason: why, answer, ended_at }) => [
    reason('succeeded', succeededInWords(id, { reused, why, by: answer?.by }), {
      task: id,
      ...(ended_at && { since: ended_at }),
    }),
  ],
  failed: ({ state }, { id, error, ended_at }) => [
    reason('failed', `${id} failed: ${error?.message ?? 'no reason is known'}`, {
      task: id,
      ...(ended_at && { since: ended_at }),
      ways: state.status === 'failed' || state.status === 'stopped' ? NEXT_RUN : [],
    }),
  ],
  skipped: (_, task) => skips([task]),
  cancelled: (_, task) => skips([task]),
};

const isInside = (task: string, outer: string): boolean => task.startsWith(`${outer}/`) || task.startsWith(`${outer}[`);

const succeededInWords = (id: string, { reused, why, by }: { reused?: true; why?: string; by?: string }): string => {
  if (why) return `${id} was ${why}`;
  if (reused) return `${id} has succeeded in an earlier run, and was kept`;
  return by ? `${id} was answered by ${by}` : `${id} has succeeded`;
};

function whyWaits(view: ReadPlan, task: Task, now: number): Reason[] {
  const told = view.waiting_for.filter((one) => one.task === task.id).map((one) => whyWaiting(view, one, now));
  const error = task.error && [reason('failed', `its last attempt failed: ${task.error.message}`, { task: task.id })];
  const held = view.waiting_for.filter(({ what }) => what === 'resume').map((one) => whyWaiting(view, one, now));
  return [...told, ...(error ?? []), ...held];
}

function whyPending(view: ReadPlan, task: Task, now: number): Reason[] {
  const own = view.waiting_for.filter(({ what, task: of }) => what === 'release' && of === task.id);
  const { open, roots } = openNeeds(view, task);
  const before = open.length > 0 ? [reason('needs', `${task.id} comes after ${some(open)}`, { task: task.id })] : [];
  const plan = view.waiting_for.filter(({ what }) => GENERAL.includes(what));
  const behind = roots.flatMap((root) => TASKS[root.status](view, root, now));
  const all = [...own.map((one) => whyWaiting(view, one, now)), ...before, ...behind];
  if (open.length === 0)
    all.push(...beingHeld(view), ...plan.filter(isTold(view)).map((one) => whyWaiting(view, one, now)));
  if (task.handler && all.length === 0)
    return [
      reason('handler', `${task.id} begins when the plan's own tasks have ended (${task.handler})`, { task: task.id }),
    ];
  if (all.length === 0) return [reason('turn', `${task.id} starts at any moment`, { task: task.id })];
  return unique(all);
}

/** What keeps every task from starting. */
const GENERAL: readonly WaitingFor['what'][] = ['review', 'resume', 'start_time', 'slot', 'group', 'next_run'];

/** What it needs that has not ended, and those at the root of it: at work, waiting, or held themselves. */
function openNeeds({ tasks }: ReadPlan, { needs }: Task): { open: string[]; roots: Task[] } {
  const byId = new Map(tasks.map((task) => [task.id, task]));
  const seen = new Set<string>();
  const roots: Task[] = [];
  const isOpen = (id: string) => ['pending', 'running', 'waiting', 'backing_off'].includes(byId.get(id)?.status ?? '');
  const visit = [...needs];
  for (let id = visit.pop(); id !== undefined; id = visit.pop()) {
    if (seen.has(id) || !isOpen(id)) continue;
    seen.add(id);
    const task = byId.get(id)!;
    const further = task.needs.filter(isOpen);
    if (task.status !== 'pending' || further.length === 0) roots.push(task);
    visit.push(...(task.status === 'pending' ? further : []));
  }
  return { open: needs.filter(isOpen), roots: roots.slice(0, NAMED) };
}

const unique = (reasons: Reason[]): Reason[] =>
  reasons.filter(({ text }, i) => reasons.findIndex((other) => other.text === text) === i);
