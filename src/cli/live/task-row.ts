import type { Colors } from 'picocolors/types.js';
import type { TaskStatus } from '../../plan/state.ts';
import type { ReadPlan } from '../../service/read-plan.ts';
import { STATE_COLOURS } from '../render/colours.ts';
import { localTime, oneLine } from '../render/text.ts';
import type { Placed, Task } from './arrange.ts';
import { bar } from './bar.ts';
import { since, spanInWords, until } from './elapsed.ts';
import { cell, fit } from './fit.ts';
import type { Signs } from './signs.ts';
import { mapTimeLeft } from './time-left.ts';

/** What a row is drawn with. */
export interface Look {
  columns: number;
  now: number;
  /** When this sitting began, of a plan that was held before: what was on hold meanwhile did not run. */
  from?: number | undefined;
  colours: Colors;
  signs: Signs;
}

/** Columns of a task's name and of its time; the words for its status are left out where there is little room. */
export interface Layout {
  name: number;
  status: number;
}

const TIME_COLUMNS = 6;
const MAP_BAR_COLUMNS = 10;
const ROOM_FOR_STATUS = 60;
const SPIN_MS = 250;

export function layoutFor(rows: Placed[], columns: number, columnsOf: (text: string) => number): Layout {
  const longest = Math.max(4, ...rows.map(({ label, depth }) => columnsOf(oneLine(label)) + 2 * depth));
  return {
    name: Math.min(longest, 32, Math.max(8, Math.floor(columns * 0.35))),
    status: columns >= ROOM_FOR_STATUS ? 11 : 0,
  };
}

/** One task in one row: a mark, its name, its status, how long, and what is to be known about it. */
export function taskRow({ task, label, depth }: Placed, view: ReadPlan, layout: Layout, look: Look): string {
  const { columns, colours } = look;
  const colour = colours[STATE_COLOURS[task.hold && task.status === 'pending' ? 'waiting' : task.status]];
  const name = cell(`${'  '.repeat(depth)}${oneLine(label)}`, layout.name);
  const status = layout.status > 0 ? `${colour(cell(STATUS_WORDS[task.status], layout.status))} ` : '';
  const time = colours.dim(timeOf(task, view, look).padStart(TIME_COLUMNS));
  const row = `${colour(markOf(task, look))} ${name} ${status}${time}  ${noteOf(task, view, look)}`;
  return fit(row.trimEnd(), columns);
}

const STATUS_WORDS: Record<TaskStatus, string> = {
  pending: 'pending',
  running: 'running',
  waiting: 'waiting',
  backing_off: 'backing off',
  succeeded: 'succeeded',
  failed: 'failed',
  skipped: 'skipped',
  cancelled: 'cancelled',
};

function markOf({ status, hold, due_at }: Task, { signs, now }: Look): string {
  if (status === 'running') return signs.spinner[Math.floor(now / SPIN_MS) % signs.spinner.length]!;
  if (status === 'waiting') return due_at ? signs.clock : signs.asks;
  if (status === 'backing_off') return signs.again;
  if (status === 'failed') return signs.failed;
  if (status === 'pending') return hold ? signs.held : signs.next;
  return status === 'succeeded' ? signs.done : signs.next;
}

/** For how long it has been so. */
function timeOf(
  { id, status, started_at, ended_at, hold }: Task,
  { questions }: ReadPlan,
  { now, from }: Look,
): string {
  if (status === 'failed')
    return started_at && ended_at ? spanInWords(Date.parse(ended_at) - Date.parse(started_at)) : '';
  const opened = questions.find(({ task }) => task === id)?.opened_at;
  const begun = opened ?? (status === 'pending' ? hold?.since : undefined);
  if (begun) return since(begun, now);
  return started_at && status !== 'pending' ? since(started_at, now, from) : '';
}

function noteOf(task: Task, view: ReadPlan, look: Look): string {
  const { now, colours } = look;
  const { id, status, error, hold, due_at, queued, silent_ms, items, iteration, attempt, max_attempts } = task;
  const question = view.questions.find((open) => open.task === id);
  const isAgain = status === 'running' && attempt > 1;
  const notes = [
    iteration && status === 'running' && iterationNote(iteration, look),
    // The plan's own bar is that of its iterations.
    items && !iteration && status === 'running' && itemsNote(task, look),
    question && oneLine(question.prompt),
    question?.expires_at && `${until(question.expires_at, now)} left`,
    queued && colours.yellow('no worker has taken it yet'),
    isAgain && `attempt ${attempt}${max_attempts > 1 ? ` of ${max_attempts}` : ''}`,
    status === 'backing_off' && backOffNote(task, now),
    status === 'waiting' && due_at && !question && `${until(due_at, now)} left, until ${clock(due_at)}`,
    silent_ms !== undefined && colours.yellow(`no output for ${spanInWords(silent_ms)}`),
    hold && `held by ${oneLine(hold.by)}${hold.comment ? `: ${oneLine(hold.comment)}` : ''}`,
    status === 'failed' && error && colours.red(oneLine(error.message)),
    status === 'pending' && !hold && colours.dim(afterNote(task, view)),
  ];
  return notes.filter(Boolean).join(', ');
}

/** The time of day alone when it is within a day. */
const clock = (iso: string): string => localTime(iso).split(' ')[1]!;

function backOffNote({ attempt, max_attempts, due_at, error }: Task, now: number): string {
  const when = due_at ? `retry in ${until(due_at, now)}` : 'retry once the plan goes on';
  return `${when}, attempt ${attempt} of ${max_attempts} failed${error ? `: ${oneLine(error.message)}` : ''}`;
}

/** Columns that the row of an iteration needs besides the name of its input, with and without the name of its step. */
const AROUND_INPUT = 64;
const SHORTEST_INPUT = 12;
const ROOM_FOR_STEP = 110;

/** The name of the input is cut, so that the step is seen. */
function iterationNote(iteration: NonNullable<Task['iteration']>, { columns }: Look): string {
  const { input, of, name, step, steps = 1, task } = iteration;
  const isWide = columns >= ROOM_FOR_STEP;
  const called = isWide && task !== undefined ? `: ${fit(oneLine(task), SHORTEST_INPUT * 2)}` : '';
  const at = step === undefined || steps === 1 ? '' : `, step ${step}/${steps}${called}`;
  const room = columns - AROUND_INPUT - (isWide ? 2 * SHORTEST_INPUT : 0);
  return `Processing input ${input}/${of}: ${fit(oneLine(name), Math.max(SHORTEST_INPUT, room))}${at}`;
}

function itemsNote(task: Task, look: Look): string {
  const { signs, colours, now, columns } = look;
  const left = mapTimeLeft(task, now);
  const { total, succeeded, failed, skipped } = task.items!;
  const ended = succeeded + failed + skipped;
  const drawn = columns >= ROOM_FOR_STATUS ? `${bar(ended, total, MAP_BAR_COLUMNS, signs, colours)} ` : '';
  const others = [
    failed > 0 && colours.red(`${failed} failed`),
    skipped > 0 && `${skipped} skipped`,
    left !== undefined && colours.dim(`about ${spanInWords(left)} left`),
  ];
  return [`${drawn}${ended}/${total}`, ...others].filter(Boolean).join(', ');
}

const MOST_NEEDS = 4;

function afterNote({ needs }: Task, { tasks, state }: ReadPlan): string {
  const ended = new Set(tasks.filter(({ status }) => status === 'succeeded').map(({ id }) => id));
  const open = needs.filter((need) => !ended.has(need)).map((need) => oneLine(need));
  const more = open.length > MOST_NEEDS ? ` and ${open.length - MOST_NEEDS} more` : '';
  if (open.length > 0) return `after ${open.slice(0, MOST_NEEDS).join(', ')}${more}`;
  return state.status === 'paused' ? 'when the plan is resumed' : '';
}
