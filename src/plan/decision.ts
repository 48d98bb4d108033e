import { record } from './events.ts';
import type { JsonObject } from './json.ts';
import { mapAgain } from './map.ts';
import { enqueue, nameOf, type Plan, taskAt } from './plan.ts';
import { openQuestion } from './questions.ts';
import type { AnswerRecord } from './state.ts';
import { failForGood, skip, succeed } from './task-endings.ts';

/** The kind of the question that a failed task with `on_failure: hold` asks. */
export const DECISION = 'decision';

/** What may be decided about a failed task: try it again, leave it out, take it as done with given outputs, or give up. */
const DECISIONS: Record<string, (plan: Plan, i: number, answer: AnswerRecord, now: number) => void> = {
  retry(plan, i) {
    const { at } = taskAt(plan, i);
    at.forgiven = at.attempts;
    at.dispatch = 0;
    if (at.map) at.map = mapAgain(at.map);
    enqueue(plan, i, true);
  },
  skip(plan, i, { by }, now) {
    const { at } = taskAt(plan, i);
    skip(plan, i, `skipped by ${by} after it failed: ${at.error?.message}`, now);
  },
  complete(plan, i, { by, values }, now) {
    const { at } = taskAt(plan, i);
    at.reason = `completed by ${by} after it failed: ${at.error?.message}`;
    succeed(plan, i, values ?? ({} satisfies JsonObject), now);
  },
  abort(plan, i, { by }, now) {
    const { at } = taskAt(plan, i);
    at.error = { ...at.error!, message: `${at.error!.message} (given up by ${by})` };
    record(plan.state, now, 'TaskFailed', { task: nameOf(plan, i), attempt: at.attempts, message: at.error.message });
    failForGood(plan, i, now);
  },
};

export function askWhatToDo(plan: Plan, i: number, now: number): void {
  const { task, at } = taskAt(plan, i);
  const text = { prompt: `${task.id} failed: ${at.error!.message}`, options: Object.keys(DECISIONS) };
  openQuestion(plan, i, text, now, DECISION);
}

export const decideOnFailure = (plan: Plan, i: number, answer: AnswerRecord, now: number): void =>
  DECISIONS[answer.choice!]!(plan, i, answer, now);
