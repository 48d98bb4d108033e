import { backoffDelay } from '../../plan/attempt.ts';
import type { MapWords, PlanDefinition, SubPlanWords, TaskDefinition, TaskMode } from '../../plan/definition.ts';
import { parseDuration } from '../../plan/duration.ts';
import type { QuestionText } from '../../plan/questions.ts';
import { parseTime } from '../../plan/time.ts';
import { layersOf } from '../plan-graph/graph.ts';
import type { Foreseen } from './foresee.ts';

/** The longest that a plan may take while it is not held and no failure asks what to do. */
export interface Longest {
  /** Null when nothing limits it. */
  ms: number | null;
  /** The tasks without a limit of their own. */
  unlimited: string[];
}

export function longestOf(definition: PlanDefinition, all: Foreseen[], now: number): Longest {
  const foreseen = new Map(all.map((one) => [one.id, one]));
  const unlimited: string[] = [];
  const main = spanOfPlan(definition, '', { foreseen, unlimited, now });
  // A deadline is limit enough, whatever its tasks say.
  if (main !== Infinity) unlimited.length = 0;
  const after = handlersOf(definition, { foreseen, unlimited, now });
  const ms = main + after;
  return { ms: Number.isFinite(ms) ? ms : null, unlimited: Number.isFinite(ms) ? [] : unlimited };
}

interface Context {
  foreseen: Map<string, Foreseen>;
  unlimited: string[];
  now: number;
}

/** The longest way through its tasks; where they are more than may run at once, also what waits for its turn. */
function spanOfPlan(
  { tasks, max_parallel, deadline_ms = Infinity }: PlanDefinition,
  path: string,
  context: Context,
): number {
  const layers = layersOf(tasks);
  const order = tasks.map((_, i) => i).sort((a, b) => layers[a]! - layers[b]!);
  const ends: number[] = [];
  const work: number[] = [];
  for (const i of order) {
    const task = tasks[i]!;
    if (task.handler) continue;
    const span = spanOf(task, path + task.id, context);
    ends[i] = task.needs.reduce((latest, need) => Math.max(latest, ends[need]!), 0) + span;
    if (task.mode === 'activity' || task.mode === 'plan') work.push(span);
  }
  const way = ends.reduce((latest, end) => Math.max(latest, end), 0);
  const turns = work.length > max_parallel ? work.reduce((sum, span) => sum + span, 0) / max_parallel : 0;
  return Math.min(deadline_ms, Math.ceil(way + turns));
}

/** Handlers come one after another: those of one ending, then `finally`. */
function handlersOf({ tasks }: PlanDefinition, context: Context): number {
  const spans = { on_failure: 0, on_success: 0, finally: 0 };
  for (const task of tasks) if (task.handler) spans[task.handler] += spanOf(task, task.id, context);
  return Math.max(spans.on_failure, spans.on_success) + spans.finally;
}

function spanOf(task: TaskDefinition, id: string, context: Context): number {
  if (context.foreseen.get(id)?.skipped !== undefined) return 0;
  const before = context.unlimited.length;
  const span = SPANS[task.mode](task, id, context);
  // What is inside of it is named, or it is itself.
  if (span === Infinity && context.unlimited.length === before) context.unlimited.push(id);
  return span;
}

const SPANS: Record<TaskMode, (task: TaskDefinition, id: string, context: Context) => number> = {
  value: () => 0,
  activity({ timeout_ms = Infinity, retry }) {
    let span = timeout_ms * retry.max_attempts;
    for (let attempts = 1; attempts < retry.max_attempts; attempts++) span += backoffDelay(retry, attempts);
    return span;
  },
  question(task) {
    const { timeout_ms = Infinity, on_timeout } = task.with as unknown as QuestionText;
    return on_timeout === 'hold' ? Infinity : timeout_ms;
  },
  clock(task, _id, { now }) {
    const text = String(task.with);
    return parseDuration(text) ?? Math.max(0, (parseTime(text) ?? Infinity) - now);
  },
  plan: (task, id, context) => spanOfPlan((task.with as unknown as SubPlanWords).definition, `${id}/`, context),
  map(task, id, context) {
    const { task: item, max_parallel } = task.with as unknown as MapWords;
    const items = context.foreseen.get(id)?.each?.items;
    const span = SPANS[item.mode](item, `${id}[]`, context);
    if (items === 0 || span === 0) return 0;
    return typeof items === 'number' ? Math.ceil(items / max_parallel) * span : Infinity;
  },
};
