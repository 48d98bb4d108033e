import { type Client, WorkflowExecutionAlreadyStartedError } from '@temporalio/client';
import { ENGINE_QUEUE, workflowId } from '../../contract/names.ts';
import type { Place, PlanInput } from '../../contract/payloads.ts';
import { Fault } from '../../faults.ts';
import type { PlanDefinition } from '../../plan/definition.ts';
import type { Caller } from '../caller.ts';
import { createPlan } from '../create-plan.ts';
import { describePlan } from '../described.ts';
import { startWorkflow } from '../start-workflow.ts';
import type { OperationFacts } from './facts.ts';
import type { ExecuteParts } from './parts.ts';

/** A plan that is about to run a program; started again, it is the same. */
export interface Operation {
  plan_id: string;
  facts: OperationFacts;
  /** Its words, for lists. */
  program: string;
  what: { definition: PlanDefinition } | { text: string; place: Place };
}

/** Starts it unless it runs already. Throws REQUEST_INVALID when its request id was used for another program. */
export async function startOperation(parts: ExecuteParts, caller: Caller, operation: Operation): Promise<void> {
  const { plan_id, facts, what } = operation;
  if ('text' in what) {
    const request = { plan: what.text, place: what.place, plan_id, operation: facts };
    await createPlan(parts.client, parts, caller, request).catch((error: unknown) => {
      throw error instanceof Fault && error.code === 'PLAN_EXISTS' ? otherProgram() : error;
    });
    return;
  }
  const { client } = parts;
  const { principal, trigger } = caller;
  const input: PlanInput = {
    schema_version: 1,
    plan_id,
    path: '',
    principal,
    definition: what.definition,
    inputs: {},
    place: { env: {} },
    task_queue: ENGINE_QUEUE,
    review: false,
    trigger,
    inputs_given: [],
  };
  const noted = { body_hash: facts.commit_id, created_at: Date.now(), trigger, operation: facts };
  try {
    await startWorkflow(client, input, noted, {
      workflowIdReusePolicy: 'REJECT_DUPLICATE',
      workflowIdConflictPolicy: 'FAIL',
    });
  } catch (error) {
    if (error instanceof WorkflowExecutionAlreadyStartedError) return await mustBeSame(client, caller, operation);
    if (error instanceof Fault) throw error;
    throw new Fault('ENGINE_UNAVAILABLE', `Temporal did not take the program: ${(error as Error).message}`, {
      cause: error,
    });
  }
}

async function mustBeSame(client: Client, { principal }: Caller, { plan_id, facts }: Operation): Promise<void> {
  const there = await describePlan(client, workflowId(principal.org_id, plan_id), plan_id);
  if (there.facts.operation?.commit_id !== facts.commit_id) throw otherProgram();
}

const otherProgram = () =>
  new Fault('REQUEST_INVALID', 'request_id: it was used for another program in this session already; take a new one');
