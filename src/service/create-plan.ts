import { createHash } from 'node:crypto';
import { type Client, WorkflowExecutionAlreadyStartedError } from '@temporalio/client';
import { v4 as uuidv4 } from 'uuid';
import { ENGINE_QUEUE, workflowId } from '../contract/names.ts';
import type { Place, PlanInput } from '../contract/payloads.ts';
import { Fault } from '../faults.ts';
import type { JsonObject } from '../plan/json.ts';
import { parseTime } from '../plan/time.ts';
import { type Caller, mustHave, type Permission } from './caller.ts';
import { type Described, describePlan } from './described.ts';
import { enrollmentId, isPlanId } from './ids.ts';
import { readPlanFile } from './plan-file.ts';
import { startWorkflow } from './start-workflow.ts';

export interface CreateRequest {
  /** The plan file's text, YAML or JSON. */
  plan: string;
  inputs?: JsonObject;
  /** ISO 8601; not before it the first task starts. */
  start_at?: string;
  /** `required`: nothing starts before somebody approves the plan. */
  review?: 'required' | 'none';
  /** Joins the plans of one key: `once` for ever one, `multiple` one at a time. */
  enrollment?: { key: string; policy: 'once' | 'multiple' };
  /** Chosen by the caller: the same id and body again is the same plan. */
  plan_id?: string;
  place: Place;
}

export interface Created {
  plan_id: string;
  /** False when the same plan was there already. */
  created: boolean;
}

/** Starts a plan; when this returns, Temporal has it. */
export async function createPlan(client: Client, caller: Caller, request: CreateRequest): Promise<Created> {
  mustHave(caller, 'plan:create');
  const input = planInput(caller, request);
  const body_hash = hashOf({ ...input, plan_id: '', trigger: '', place: undefined });
  if (request.enrollment) return await enroll(client, caller, request.enrollment, input, body_hash);
  const existing = await start(client, input, body_hash);
  if (!existing) return { plan_id: input.plan_id, created: true };
  if (existing.body_hash === body_hash) return { plan_id: input.plan_id, created: false };
  throw new Fault('PLAN_EXISTS', `plan ${input.plan_id} exists already, made from another request`);
}

function planInput(caller: Caller, request: CreateRequest): PlanInput {
  const { plan_id, enrollment } = request;
  if (plan_id !== undefined && enrollment)
    throw new Fault(
      'REQUEST_INVALID',
      'an enrollment chooses the id itself: leave out either it or the plan_id (or Idempotency-Key)',
    );
  if (plan_id !== undefined && !isPlanId(plan_id))
    throw new Fault('REQUEST_INVALID', `plan_id: "${plan_id.slice(0, 80)}" is not a UUID`);
  const { definition, inputs, permissions, review } = readPlanFile(request.plan, { inputs: request.inputs ?? {} });
  for (const permission of permissions) mustHave(caller, permission as Permission);
  return {
    schema_version: 1,
    plan_id: plan_id?.toLowerCase() ?? uuidv4(),
    path: '',
    principal: caller.principal,
    definition,
    inputs,
    place: request.place,
    task_queue: ENGINE_QUEUE,
    review: request.review ? request.review === 'required' : review,
    ...(request.start_at !== undefined && { start_at: timeOf(request.start_at) }),
    trigger: caller.trigger,
  };
}

function timeOf(text: string): number {
  const time = parseTime(text);
  if (time === undefined)
    throw new Fault('REQUEST_INVALID', `start_at: "${text}" is not a time; give one like 2026-01-31T09:00:00Z`);
  return time;
}

/** Starts the plan's first run; gives what is there instead when the id is taken. */
async function start(client: Client, input: PlanInput, bodyHash: string): Promise<Described | undefined> {
  const { plan_id, principal } = input;
  try {
    await startWorkflow(client, input, bodyHash, {
      workflowIdReusePolicy: 'REJECT_DUPLICATE',
      workflowIdConflictPolicy: 'FAIL',
    });
    return undefined;
  } catch (error) {
    if (error instanceof WorkflowExecutionAlreadyStartedError)
      return await describePlan(client, workflowId(principal.org_id, plan_id), plan_id);
    if (error instanceof Fault) throw error;
    throw new Fault('ENGINE_UNAVAILABLE', `Temporal did not take the plan: ${(error as Error).message}`, {
      cause: error,
    });
  }
}

/** Contenders all try the same next id; Temporal lets one win. */
async function enroll(
  client: Client,
  caller: Caller,
  { key, policy }: NonNullable<CreateRequest['enrollment']>,
  input: PlanInput,
  bodyHash: string,
): Promise<Created> {
  const { org_id } = caller.principal;
  for (let n = 1; ; n++) {
    const plan_id = enrollmentId(org_id, key, n);
    const existing = await start(client, { ...input, plan_id }, bodyHash);
    if (!existing) return { plan_id, created: true };
    if (policy === 'once' || existing.open) {
      const state = existing.open ? 'is active' : `exists (${existing.status})`;
      throw new Fault('ENROLLMENT_BLOCKED', `"${key}" is blocked by plan ${plan_id}, which ${state}; policy ${policy}`);
    }
  }
}

const hashOf = (value: unknown): string => createHash('sha256').update(JSON.stringify(value)).digest('hex');
