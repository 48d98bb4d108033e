import { record } from './events.ts';
import type { JsonObject } from './json.ts';
import { mapAgain } from './map.ts';
import { enqueue, nameOf, type Plan, taskAt } from './plan.ts';
import type { Decision } from './questions.ts';
import type { AnswerRecord } from './state.ts';
import { failForGood, skip, succeed } from './task-endings.ts';

/** What may be decided about a failed task: try it again, leave it out, take it as done with given outputs, or give up. */
const DECISIONS: Record<Decision, (plan: Plan, i: number, answer: AnswerRecord, now: number) => void> = {
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

export const decideOnFailure = (plan: Plan, i: number, answer: AnswerRecord, now: number): void =>
  DECISIONS[answer.choice as Decision](plan, i, answer, now);
