import type { ReadPlan } from '../../service/read-plan.ts';

type Task = ReadPlan['tasks'][number];

/** Finished tasks or items from which the rest is judged; fewer tell too little. */
const ENOUGH = 8;
const WORK: readonly string[] = ['run', 'http', 'llm', 'shell', 'claude'];

/**
 * About how long the plan still takes, in ms, judged by the tasks that have ended; undefined where that would be a
 * guess: when people or time are waited for, when something takes a time of its own, or when tasks took very unlike times.
 */
export function timeLeft(view: ReadPlan, now: number): number | undefined {
  const { tasks, waiting_for, state, pausing, stopping } = view;
  if (state.status !== 'executing' || pausing || stopping) return undefined;
  if (waiting_for.some(({ what }) => what !== 'slot')) return undefined;
  const own = tasks.filter(({ handler, status }) => !handler && status !== 'skipped');
  if (own.some(({ kind }) => !WORK.includes(kind) && kind !== 'set')) return undefined;
  const work = own.filter(({ kind }) => kind !== 'set');
  const finished = work.filter(
    (task) => task.status === 'succeeded' && !task.reused && task.started_at && task.ended_at,
  );
  if (finished.length < ENOUGH) return undefined;
  const took = finished.map(spanOf);
  const mean = took.reduce((sum, ms) => sum + ms, 0) / took.length;
  const spread = Math.sqrt(took.reduce((sum, ms) => sum + (ms - mean) ** 2, 0) / took.length);
  if (spread > mean) return undefined;
  const begun = Math.min(...finished.map(({ started_at }) => Date.parse(started_at!)));
  const abreast = Math.max(1, (mean * finished.length) / Math.max(1, now - begun));
  const open = work.filter(({ status }) => status === 'pending' || status === 'running').length;
  return (open * mean) / abreast;
}

const spanOf = ({ started_at, ended_at }: Task): number => Date.parse(ended_at!) - Date.parse(started_at!);

/** The same of a map by its items, which are alike; items in batches at work count too. */
export function mapTimeLeft({ items, started_at }: Task, now: number): number | undefined {
  if (!items || !started_at) return undefined;
  const ended = items.succeeded + items.failed + items.skipped;
  if (ended < ENOUGH || ended >= items.total) return undefined;
  return ((now - Date.parse(started_at)) * (items.total - ended)) / ended;
}
