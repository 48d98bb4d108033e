import type { Plan, Task } from '../../api/types.ts';
import { plainText } from '../../ui/plain-text.ts';
import { duration } from '../../ui/times.tsx';
import { parentOf } from './family.ts';
import { isHeld } from './hold.ts';

/** Of a plan of which only the last known state is known. */
export const NO_TASKS = 'Its tasks are not known just now: no worker has answered for this plan.';

/** A task as graph and table show it: with what else of the plan is about it. */
export interface Shown {
  task: Task;
  /** What it waits for, in words. */
  waits?: string;
  /** Items of a map that are at work and are no tasks of their own in the view. */
  items?: string;
}

/** All tasks of a plan; those of which nothing has changed are the same objects as before. */
export function shownOf(plan: Plan, before: ReadonlyMap<string, Shown> = new Map()): ReadonlyMap<string, Shown> {
  const waits = waitsOf(plan);
  const items = itemsOf(plan);
  return new Map(
    plan.tasks.map((task) => {
      const now: Shown = { task };
      const waiting = waits.get(task.id);
      const inside = items.get(task.id)?.join(', ');
      if (waiting !== undefined) now.waits = waiting;
      if (inside !== undefined) now.items = inside;
      const old = before.get(task.id);
      const isSame = old && old.task === task && old.waits === now.waits && old.items === now.items;
      return [task.id, isSame ? old : now];
    }),
  );
}

function waitsOf({ waiting_for, questions }: Plan): Map<string, string> {
  const prompts = new Map(questions.map(({ task, prompt }) => [task, prompt]));
  const words = new Map<string, string>();
  for (const { what, task, until } of waiting_for) {
    if (task === undefined) continue;
    if (what === 'question') words.set(task, `Asks: ${plainText(prompts.get(task) ?? 'a question')}`);
    if (what === 'wait' && until) words.set(task, `Waits until ${timeOf(until)}`);
    if (what === 'back_off' && until) words.set(task, `Tries again at ${timeOf(until)}`);
  }
  return words;
}

const timeOf = (at: string): string => {
  const date = new Date(at);
  const time = date.toLocaleTimeString(undefined, { hour12: false });
  return date.toDateString() === new Date().toDateString() ? time : `${date.toLocaleDateString()} ${time}`;
};

function itemsOf({ current_tasks, tasks }: Plan): Map<string, string[]> {
  const ids = new Set(tasks.map(({ id }) => id));
  const items = new Map<string, string[]>();
  for (const id of current_tasks) {
    const parent = ids.has(id) ? undefined : parentOf(id, ids);
    if (parent === undefined) continue;
    const name = id.slice(parent.length);
    items.set(parent, [...(items.get(parent) ?? []), name]);
  }
  return items;
}

/** Why a task stands as it does, in one line; empty where its status says all. */
export function noteOf({ task, waits, items }: Shown): string {
  const { hold, error, reason, iteration, queued, silent_ms } = task;
  if (hold && isHeld(task)) return `Held by ${hold.by}${hold.comment ? `: ${hold.comment}` : ''}`;
  if (waits !== undefined) return waits;
  if (error && task.status !== 'succeeded') return plainText(error.message);
  if (reason !== undefined) return plainText(reason);
  if (iteration) return iterationWords(iteration);
  if (items !== undefined) return `At work: ${items}`;
  if (queued) return 'No worker has taken it yet';
  if (silent_ms !== undefined) return `Nothing written for ${duration(silent_ms)}`;
  return '';
}

const iterationWords = ({ input, of, name, step, steps }: NonNullable<Task['iteration']>): string =>
  `Input ${input} of ${of}: ${name}${step === undefined ? '' : `, step ${step} of ${steps}`}`;

/** `2 of 3`, where there is or may be more than one. */
export const attemptOf = ({ attempt, max_attempts }: Task): string | undefined =>
  attempt > 1 || (attempt === 1 && max_attempts > 1) ? `${attempt} of ${Math.max(attempt, max_attempts)}` : undefined;
