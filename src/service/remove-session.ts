import { rm } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';
import type { Client } from '@temporalio/client';
import { workflowId } from '../contract/names.ts';
import { SEARCH_ATTRIBUTES } from '../contract/search-attributes.ts';
import { asFault, Fault } from '../faults.ts';
import { isTerminal } from '../plan/lifecycle.ts';
import { removeWorktree } from '../worktree/remove.ts';
import { type Caller, mustHave } from './caller.ts';
import { describeClosed, describePlan } from './described.ts';
import type { Stores } from './service.ts';
import { quoted } from './visible-plans.ts';

/** What of a session is kept though it was removed, such as a branch with commits, and why. */
export interface SessionRemoved {
  kept: string[];
}

/**
 * Removes a session and all that is kept of it: in Temporal, on disk, and its worktree. Throws PLAN_INVALID_STATE for one that is
 * open, and for one whose worktree holds what is nowhere else.
 */
export async function removeSession(
  client: Client,
  stores: Stores,
  caller: Caller,
  planId: string,
): Promise<SessionRemoved> {
  mustHave(caller, 'plan:approve');
  return await remove(client, stores, workflowId(caller.principal.org_id, planId), planId);
}

const OVER_FOR_MS = 7 * 86_400_000;

/** Removes sessions, of whichever organisation, that completed more than a week ago. Gives how many. */
export async function removeOldSessions(client: Client, stores: Stores, now = Date.now()): Promise<number> {
  const before = new Date(now - OVER_FOR_MS).toISOString();
  const query = `${SEARCH_ATTRIBUTES.session.name} IS NOT NULL AND ExecutionStatus = 'Completed' AND CloseTime < ${quoted(before)}`;
  let removed = 0;
  for await (const { workflowId: id } of client.workflow.list({ query })) {
    const planId = id.slice(id.lastIndexOf('/') + 1);
    const done = await remove(client, stores, id, planId).catch((error: unknown) => {
      // What cannot be removed, such as a worktree with work in it, waits for its user.
      if (asFault(error).code === 'ENGINE_UNAVAILABLE') throw error;
    });
    if (done) removed += 1;
  }
  return removed;
}

async function remove(client: Client, stores: Stores, id: string, planId: string): Promise<SessionRemoved> {
  const { open, status, facts } = await describeClosed(client, id, planId);
  if (open)
    throw new Fault(
      'PLAN_INVALID_STATE',
      isTerminal(status) ? 'it is just ending; try again' : `it is ${status}; stop it first`,
    );
  const worktree = facts.worktree && (await removeWorktree(facts.worktree));
  const holds = worktree?.kept.find(({ what }) => what === 'worktree');
  if (holds) throw new Fault('PLAN_INVALID_STATE', `its worktree holds work: ${holds.why}`);
  const { namespace } = client.options;
  for (const runId of await runsOf(client, id))
    await client.workflowService.deleteWorkflowExecution({ namespace, workflowExecution: { workflowId: id, runId } });
  await rm(stores.planFolder(planId), { recursive: true, force: true });
  await untilGone(client, id);
  return { kept: worktree?.kept.map(({ why }) => why) ?? [] };
}

async function runsOf(client: Client, id: string): Promise<string[]> {
  const runs: string[] = [];
  for await (const { runId } of client.workflow.list({ query: `WorkflowId = ${quoted(id)}` })) runs.push(runId);
  return runs;
}

const GONE_WITHIN_MS = 10_000;

/** Temporal removes what has just closed some moments later. */
async function untilGone(client: Client, id: string): Promise<void> {
  for (const end = Date.now() + GONE_WITHIN_MS; Date.now() < end; await delay(100)) {
    const isThere = await describePlan(client, id, id).then(
      () => true,
      () => false,
    );
    if (!isThere) return;
  }
}
