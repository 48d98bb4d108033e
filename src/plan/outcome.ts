import type { CommandName, RefusalCode } from './lifecycle.ts';
import type { AnswerRecord, PlanState } from './state.ts';

/**
 * What became of a command. A Signal cannot answer, so the workflow keeps the last outcomes by `request_id`.
 * `done`: it took effect; `accepted`: it takes effect at the next task boundary; `refused`: nothing changed;
 * `forwarded`: what it names is in a child workflow, to which it has to be sent.
 */
export interface Outcome {
  request_id: string;
  command: CommandName;
  /** What it was to be done to, as whoever sent it marked that. */
  about?: string;
  result: 'done' | 'accepted' | 'refused' | 'forwarded';
  /** Set when forwarded: the child workflow that decides. Its Workflow Id is this plan's, a slash, and this. */
  to?: string;
  /** Set when refused: a code of the fault table and what to tell the caller. */
  code?: RefusalCode;
  message?: string;
  /** Set by an answer: the record, also when the same answer was given before. */
  record?: AnswerRecord;
}

export const OUTCOMES_KEPT = 200;

export function keepOutcome(state: PlanState, outcome: Outcome): void {
  state.outcomes.push(outcome);
  if (state.outcomes.length > OUTCOMES_KEPT) state.outcomes.splice(0, state.outcomes.length - OUTCOMES_KEPT);
}

export const outcomeOf = (state: PlanState, requestId: string): Outcome | undefined =>
  state.outcomes.find((outcome) => outcome.request_id === requestId);
