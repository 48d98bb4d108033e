import type { Client } from '@temporalio/client';
import { QUERIES } from '../contract/names.ts';
import type { PlanEvent } from '../plan/events.ts';
import { TASK_ENDED, TASK_STATUSES, type Totals } from '../plan/state.ts';
import type { PlanView } from '../plan/view.ts';
import { askReplayed } from './ask-replayed.ts';
import { type Described, describePlan } from './described.ts';

/** How many events `endedOutside` tells. */
export const OUTSIDE_EVENTS = 2;

/**
 * The last events of a run (else of the last) that Temporal ended without asking it: numbered on from its own, so that whoever has them
 * knows that there is no more. None for any other plan.
 */
export async function endedOutside(
  client: Client,
  { id, plan_id, run }: { id: string; plan_id: string; run?: string },
  seq: number,
): Promise<PlanEvent[]> {
  const found = await describePlan(client, id, plan_id, run);
  if (found.ended_outside === undefined) return [];
  const how = await howItEnded(client, id, found);
  const at = found.closed_at?.getTime() ?? Date.now();
  return [
    { seq: seq + 1, at, type: 'PlanStopped', by: how.by, message: how.message },
    {
      seq: seq + 2,
      at,
      type: 'PlanStateChanged',
      state: { status: 'stopped' },
      error: { code: 'ENDED_OUTSIDE', message: how.message },
      totals: await totalsOf(client, { id, ...(run !== undefined && { run }) }),
    },
  ];
}

/** Who ended it and why, as far as the last event of its history says so. */
async function howItEnded(client: Client, id: string, { run_id, ended_outside }: Described) {
  const { history } = await client.workflowService
    .getWorkflowExecutionHistory({
      namespace: client.options.namespace,
      execution: { workflowId: id, runId: run_id },
      historyEventFilterType: 2,
    })
    .catch(() => ({ history: undefined }));
  const last = history?.events?.at(-1);
  const { reason, identity } = last?.workflowExecutionTerminatedEventAttributes ?? {};
  const details = [reason, identity && `by ${identity}`].filter(Boolean).join(', ');
  return {
    by: last?.workflowExecutionTimedOutEventAttributes ? 'the Temporal server' : 'operator (Temporal)',
    message: details ? `${ended_outside}: ${details}` : ended_outside!,
  };
}

/** What had not ended was cancelled with the plan. */
async function totalsOf(client: Client, workflow: { id: string; run?: string }): Promise<Totals> {
  const view = await askReplayed<PlanView>(client, workflow, QUERIES.status);
  const tasks = typeof view === 'symbol' ? [] : view.tasks.filter(({ handler }) => !handler);
  const ended = tasks.map(({ status }) => (TASK_ENDED.includes(status) ? status : 'cancelled'));
  return Object.fromEntries(
    TASK_STATUSES.map((status) => [status, ended.filter((each) => each === status).length]),
  ) as Totals;
}
