import { dispatches, eventsByRun, type Story, type Violation, withChildren } from './story.ts';

const broken = (message: string, at: string): Violation => ({ promise: 3, message, at });

/** 3. A task recorded as completed never runs again, unless its fingerprint changed, or a retry or a resume from a task on was asked for. */
export function once(story: Story): Violation[] {
  const all = withChildren(story);
  return [...all.flatMap(scheduledAgain), ...(story.witness ? witnessed(story) : [])];
}

function scheduledAgain(story: Story): Violation[] {
  const found = dispatches(story);
  return found.flatMap((again, i) => {
    const before = found.slice(0, i).filter(({ task, end }) => task === again.task && end?.how === 'completed');
    return before.flatMap((done) => {
      if (done.run < again.run && mayRunAgain(story, again.task, done.run, again.run)) return [];
      return [broken(`${again.task} was scheduled again after it had completed (${done.where})`, again.where)];
    });
  });
}

/** Whether one of the runs since then was asked to do again what had ended, or found another fingerprint and so did not reuse the task. */
function mayRunAgain(story: Story, task: string, since: number, run: number): boolean {
  const events = eventsByRun(story).filter((event) => event.run > since && event.run <= run);
  if (events.some(({ type, details }) => type === 'RunStarted' && isAsked(details))) return true;
  if (events.some((event) => event.type === 'TaskReused' && event.task === task && event.run === run)) return false;
  const [then, now] = [since, run].map((number) => fingerprintOf(story, task, number));
  return then === undefined || now === undefined || then !== now;
}

function isAsked(details: unknown): boolean {
  const { mode, from } = (details ?? {}) as { mode?: unknown; from?: unknown };
  return mode === 'retry' || from !== undefined;
}

function fingerprintOf({ runs }: Story, task: string, number: number): string | undefined {
  return runs.filter(({ begins }) => begins !== 'continued')[number - 1]?.fingerprints?.[task];
}

/** The world agrees: each completed attempt left its mark, and no attempt ran that the histories do not tell of. */
function witnessed(story: Story): Violation[] {
  const { n, tasks } = story.witness!;
  const counts = new Map<string, { dispatched: number; completed: number }>();
  for (const { task, end } of withChildren(story).flatMap(dispatches)) {
    const count = counts.get(task) ?? { dispatched: 0, completed: 0 };
    count.dispatched += 1;
    if (end?.how === 'completed') count.completed += 1;
    counts.set(task, count);
  }
  return [...(tasks ?? counts.keys())].flatMap((task) => {
    const { dispatched, completed } = counts.get(task) ?? { dispatched: 0, completed: 0 };
    const seen = n(task);
    if (seen < completed) return [broken(`${task} completed ${completed} times and was seen ${seen} times`, task)];
    if (seen > dispatched)
      return [broken(`${task} was seen ${seen} times, and ${dispatched} attempts were scheduled`, task)];
    return [];
  });
}
