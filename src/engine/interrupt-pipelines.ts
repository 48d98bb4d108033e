import { setTimeout as delay } from 'node:timers/promises';
import type { Client } from '@temporalio/client';
import type { Logger } from 'pino';
import { PLAN_WORKFLOW } from '../contract/names.ts';
import type { CommandInput } from '../contract/payloads.ts';
import { SEARCH_ATTRIBUTES } from '../contract/search-attributes.ts';
import type { PlanStatus } from '../plan/lifecycle.ts';
import type { PlanFacts } from '../service/start-workflow.ts';

/** What document 3 calls running; a pipeline that waits at a checkpoint goes on waiting. */
const RUNNING: readonly PlanStatus[] = ['executing', 'stand_by'];
/** Temporal's list is behind by a moment, more so when the server has just started. */
const LOOK_AGAIN_MS = 2_000;

/**
 * Marks the pipelines of agents that were running when the engine ended as interrupted, so that somebody decides about them
 * (document 3's `cleanupStaleExecutions`). What is called before the worker polls, so that none of their agents is asked again first.
 */
export async function interruptPipelines(client: Client, since: number, logger: Logger): Promise<void> {
  const once = () => interruptAll(client, since, logger);
  await once();
  void delay(LOOK_AGAIN_MS, undefined, { ref: false })
    .then(once)
    .catch((error: unknown) => logger.warn({ err: error }, 'could not look for running pipelines again'));
}

async function interruptAll(client: Client, since: number, logger: Logger): Promise<void> {
  const states = RUNNING.map((state) => `'${state}'`).join(', ');
  const query = `WorkflowType = '${PLAN_WORKFLOW}' AND ExecutionStatus = 'Running' AND ${SEARCH_ATTRIBUTES.state.name} IN (${states})`;
  for await (const { workflowId, memo } of client.workflow.list({ query })) {
    const { pipeline, created_at } = (memo ?? {}) as Partial<PlanFacts>;
    if (!pipeline || created_at === undefined || created_at >= since) continue;
    await client.workflow
      .getHandle(workflowId)
      .signal('pause', restartCommand(workflowId, since))
      .catch((error: unknown) =>
        logger.warn({ err: error, workflow_id: workflowId }, 'could not interrupt a pipeline'),
      );
  }
}

/** By the same request however often it is sent: who resumes it meanwhile is not interrupted again. */
const restartCommand = (workflowId: string, since: number): CommandInput => ({
  schema_version: 1,
  request_id: `restart-${since}`,
  actor: { id: 'holdpoint', name: 'Holdpoint: the server was started again', org_id: workflowId.split('/')[1] ?? '' },
  at: Date.now(),
  interrupt: true,
  reason: 'server_restart',
});
