import { setTimeout as delay } from 'node:timers/promises';
import { type Client, WorkflowNotFoundError } from '@temporalio/client';
import { SEARCH_ATTRIBUTES } from '../contract/search-attributes.ts';
import { Fault } from '../faults.ts';
import { isTerminal, PLAN_STATUSES, type PlanStatus } from '../plan/lifecycle.ts';
import type { PendingActivity } from './pending.ts';
import type { PlanFacts } from './start-workflow.ts';

/** What Temporal itself knows of a plan, worker or not. */
export interface Described {
  run_id: string;
  /** Of the histories that its present run has had, the first. */
  first_run_id: string;
  open: boolean;
  status: PlanStatus;
  /** Set when the plan did not end by its own rules: terminated, or timed out by the server. */
  ended_outside?: string;
  /** Set while an operator has paused the workflow in Temporal itself: it refuses queries, and nothing goes on. */
  engine_paused?: string;
  /** An operator has reset it in Temporal. */
  reset: boolean;
  name: string;
  /** What was noted of the plan when it was made. */
  facts: Partial<PlanFacts>;
  created_at: Date;
  closed_at: Date | undefined;
  pending: readonly PendingActivity[];
}

/** Endings that were not the plan's own: it counts as stopped. */
export const ENDED_OUTSIDE: Record<string, string> = {
  TERMINATED: 'terminated from outside (Temporal)',
  TIMED_OUT: 'timed out by the Temporal server',
  CANCELLED: 'cancelled from outside (Temporal)',
};

const OPEN = ['RUNNING', 'CONTINUED_AS_NEW', 'PAUSED'];

/** Tells closed from unknown by asking, never by an error's text; throws PLAN_NOT_FOUND. */
export async function describePlan(client: Client, id: string, planId: string, runId?: string): Promise<Described> {
  const found = await client.workflow
    .getHandle(id, runId)
    .describe()
    .catch((error: unknown) => {
      if (error instanceof WorkflowNotFoundError) throw new Fault('PLAN_NOT_FOUND', `there is no plan ${planId}`);
      throw new Fault('ENGINE_UNAVAILABLE', `Temporal did not answer: ${(error as Error).message}`, { cause: error });
    });
  const { name = '', ...facts } = (found.memo ?? {}) as Partial<PlanFacts> & { name?: string };
  const outside = ENDED_OUTSIDE[found.status.name];
  const paused = found.raw.workflowExtendedInfo?.pauseInfo;
  return {
    run_id: found.runId,
    first_run_id: found.raw.workflowExecutionInfo?.firstRunId || found.runId,
    open: OPEN.includes(found.status.name),
    status: outside
      ? 'stopped'
      : lastStatus(found.searchAttributes[SEARCH_ATTRIBUTES.state.name]?.[0], found.status.name),
    ...(outside && { ended_outside: outside }),
    ...(paused && {
      engine_paused: [paused.reason, paused.identity && `by ${paused.identity}`].filter(Boolean).join(', '),
    }),
    reset: Boolean(found.raw.workflowExtendedInfo?.lastResetTime),
    name,
    facts,
    created_at: facts.created_at === undefined ? found.startTime : new Date(facts.created_at),
    closed_at: found.closeTime,
    pending: found.raw.pendingActivities ?? [],
  };
}

/** For how long a plan that has ended may be about to close: its group is told first. */
const CLOSING_PATIENCE_MS = 2_000;
const CLOSING_PAUSE_MS = 15;

/** The same, once a plan that has ended has closed, too. */
export async function describeClosed(client: Client, id: string, planId: string): Promise<Described> {
  const end = Date.now() + CLOSING_PATIENCE_MS;
  for (;;) {
    const found = await describePlan(client, id, planId);
    if (!found.open || !isTerminal(found.status) || Date.now() > end) return found;
    await delay(CLOSING_PAUSE_MS);
  }
}

/** The state in the search attribute; for a plan that closed without writing it, what closing says. */
export function lastStatus(attribute: unknown, temporalStatus: string): PlanStatus {
  if (temporalStatus === 'COMPLETED') return 'completed';
  const written = PLAN_STATUSES.find((status) => status === attribute);
  if (temporalStatus === 'FAILED') return written && isTerminal(written) ? written : 'failed';
  return written ?? 'executing';
}
