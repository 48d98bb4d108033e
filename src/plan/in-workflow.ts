import type { SubPlanWords } from './definition.ts';
import { parseDuration } from './duration.ts';
import type { Effects } from './effects.ts';
import { record } from './events.ts';
import { renderDeep } from './expression.ts';
import { started } from './iteration.ts';
import type { Json, JsonObject } from './json.ts';
import { openChild } from './map.ts';
import { type Plan, taskAt } from './plan.ts';
import { openQuestion, type QuestionText } from './questions.ts';
import { attempt, readsStored, scopeFor } from './scope.ts';
import { fail, succeed } from './task-endings.ts';
import { parseTime } from './time.ts';

/** Questions, waits, values, maps and sub-plans need no attempt: the workflow does them itself. */
export function startInWorkflow(plan: Plan, i: number, effects: Effects, now: number): void {
  const { task, at } = taskAt(plan, i);
  const words = plan.index.computed.get(i);
  at.status = 'running';
  if (words) {
    plan.index.computed.delete(i);
    startWith(plan, i, words, effects, now);
    return;
  }
  at.attempts += 1;
  at.started_at = now;
  at.error = undefined;
  record(plan.state, now, 'TaskStarted', started(plan, i));
  if (task.mode === 'map') {
    if (at.map) plan.index.maps.add(i);
    else expand(plan, i, effects);
  } else if (readsStored(plan, i)) aside(plan, i, effects);
  else
    startWith(
      plan,
      i,
      attempt(() => renderDeep(computed(plan, i), scopeFor(plan, i))),
      effects,
      now,
    );
}

/** What of a task's words is computed when it starts; a sub-plan's tasks are computed by itself. */
export function computed(plan: Plan, i: number): Json {
  const { task } = taskAt(plan, i);
  return task.mode === 'plan' ? (task.with as unknown as SubPlanWords).inputs : task.with;
}

function aside(plan: Plan, i: number, effects: Effects): void {
  plan.index.asides.add(i);
  effects.asides.push({ task: i, work: { what: 'words' } });
}

/** A map's list is read and cut into pieces by an activity: it may be long. */
function expand(plan: Plan, i: number, effects: Effects): void {
  plan.index.asides.add(i);
  effects.asides.push({ task: i, work: { what: 'expand' } });
}

/** Goes on with a task whose words have been computed. */
function startWith(
  plan: Plan,
  i: number,
  words: { ok: Json } | { error: string },
  effects: Effects,
  now: number,
): void {
  const { task } = taskAt(plan, i);
  if ('error' in words) fail(plan, i, { code: 'TASK_INVALID', message: words.error }, now);
  else IN_WORKFLOW[task.mode as keyof typeof IN_WORKFLOW](plan, i, words.ok, now, effects);
}

const IN_WORKFLOW = {
  value: (plan: Plan, i: number, value: Json, now: number) => succeed(plan, i, value as JsonObject, now),
  question(plan: Plan, i: number, text: Json, now: number) {
    openQuestion(plan, i, text as unknown as QuestionText, now);
  },
  clock(plan: Plan, i: number, spec: Json, now: number) {
    const due = waitUntil(spec, now);
    if (due === undefined) {
      const message = `wait: ${JSON.stringify(spec)} is neither a duration such as 30s nor a time with its zone`;
      fail(plan, i, { code: 'TASK_INVALID', message }, now);
      return;
    }
    const at = plan.state.tasks[i]!;
    at.status = 'waiting';
    at.clock = { due };
    plan.index.clocks.add(i);
  },
  plan(plan: Plan, i: number, inputs: Json, _now: number, effects: Effects) {
    const { id } = plan.definition.tasks[i]!;
    openChild(plan, { key: id, what: { kind: 'plan', task: i, inputs: inputs as JsonObject }, slots: 1 }, effects);
  },
};

/** When a `wait` ends, ms since the epoch: after a duration, or at an ISO 8601 time. */
function waitUntil(spec: Json, now: number): number | undefined {
  if (typeof spec !== 'string') return undefined;
  const span = parseDuration(spec);
  if (span !== undefined) return now + span;
  const time = parseTime(spec);
  return time === undefined ? undefined : Math.max(now, time);
}
