import { isTerminal, type PlanStatus } from '../plan/lifecycle.ts';
import type { ReadPlan } from '../service/read-plan.ts';

/** Where a plan stands, in document 0's five words. */
export const STATES = ['pending', 'processing', 'completed', 'failed', 'stopped'] as const;
export type State = (typeof STATES)[number];

interface Words {
  state: State;
  /** The one obvious thing for an agent to do next. */
  next: string;
}

/** Holdpoint's states in document 0's words, and what to do in each. */
export const PLAN_WORDS: Record<PlanStatus, Words> = {
  pending_review: {
    state: 'pending',
    next: 'Somebody has to let it out of review: plan_answer without a question, if that is yours to decide. Or tell your user, and plan_wait with until: "ended".',
  },
  stand_by: { state: 'processing', next: 'It goes on by itself at the time in waiting_for: plan_wait.' },
  executing: { state: 'processing', next: 'It is at work: plan_wait.' },
  awaiting_input: {
    state: 'processing',
    next: 'It asks something (questions): plan_answer, if that is yours to decide. Or tell your user, and plan_wait with until: "ended".',
  },
  paused: {
    state: 'processing',
    next: 'Nothing new starts: plan_resume lifts the pause; see waiting_for for who paused it, and why.',
  },
  completed: {
    state: 'completed',
    next: 'It is done: outputs has what its tasks gave; their files and logs are linked here. To run it again, plan_create a new one.',
  },
  failed: {
    state: 'failed',
    next: 'Read why: error, and plan_logs of current_task. Then plan_resume keeps finished work; with an edited plan, only what changed runs again. plan_retry starts from nothing.',
  },
  stopped: { state: 'stopped', next: 'plan_resume goes on from where it was stopped; plan_retry starts from nothing.' },
};

type Standing = Pick<ReadPlan, 'state' | 'freshness'>;

/** Only what is true of a plan that nobody answers for now: it may be at work, or wait for somebody, by the time one does. */
export const nextStepsOf = (view: Standing): string =>
  isUnanswered(view)
    ? `No worker answers for it now (${view.freshness.message ?? 'last known state'}): plan_wait or plan_status again.`
    : PLAN_WORDS[view.state.status].next;

/** Of what has ended Temporal alone knows enough. */
export const isUnanswered = ({ state, freshness }: Standing): boolean => !freshness.live && !isTerminal(state.status);

/** The other way round: which plans are listed under a word. */
export const statusesOf = (word: State): PlanStatus[] =>
  (Object.keys(PLAN_WORDS) as PlanStatus[]).filter((status) => PLAN_WORDS[status].state === word);
