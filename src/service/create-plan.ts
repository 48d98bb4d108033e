import { createHash } from 'node:crypto';
import { type Client, WorkflowExecutionAlreadyStartedError } from '@temporalio/client';
import { v4 as uuidv4 } from 'uuid';
import { ENGINE_QUEUE, workflowId } from '../contract/names.ts';
import type { Place, PlanInput } from '../contract/payloads.ts';
import { Fault } from '../faults.ts';
import { canonical } from '../plan/fingerprint.ts';
import type { Json, JsonObject } from '../plan/json.ts';
import { parseTime } from '../plan/time.ts';
import { type Caller, mustHave, type Permission } from './caller.ts';
import { chargedTo } from './charged-to.ts';
import { type Described, describePlan } from './described.ts';
import { type EnrollmentRequest, enroll } from './enroll.ts';
import type { OperationFacts } from './execute/facts.ts';
import { isPlanId } from './ids.ts';
import { labelsOf } from './labels.ts';
import type { PlanReader } from './plan-reader.ts';
import type { Stores } from './service.ts';
import { sourceOf } from './source.ts';
import {
  type Enrollment,
  type PipelineFacts,
  type PlanFacts,
  type SessionFacts,
  startWorkflow,
} from './start-workflow.ts';
import { type PlaceOf, worktreePlace } from './worktree-place.ts';

export interface CreateRequest {
  /** The plan file's text, YAML or JSON. */
  plan: string;
  inputs?: JsonObject;
  /** ISO 8601; not before it the first task starts. */
  start_at?: string;
  /** `required`: nothing starts before somebody approves the plan. */
  review?: 'required' | 'none';
  /** Joins the plans of one key. */
  enrollment?: EnrollmentRequest;
  /** Chosen by the caller: the same id and body again is the same plan. */
  plan_id?: string;
  /** Whether its commands run in a Git worktree of the plan; wins over the plan file. */
  worktree?: boolean;
  place: Place;
  /** What its calls of models are charged to, besides itself; a label `project` in its file names the project, too. */
  charged_to?: { chat?: string; project?: string };
  /** Of a plan that a command line starts. */
  session?: SessionFacts;
  /** Of a plan that is a pipeline of agents. */
  pipeline?: PipelineFacts;
  /** Of a plan that is an operation of a session of programs. */
  operation?: OperationFacts;
}

export interface Created {
  plan_id: string;
  /** False when the same plan was there already. */
  created: boolean;
  enrollment?: Enrollment;
}

/** Starts a plan; when this returns, Temporal has it. */
export async function createPlan(
  client: Client,
  { stores, reader }: { stores: Stores; reader: PlanReader },
  caller: Caller,
  request: CreateRequest,
): Promise<Created> {
  mustHave(caller, 'plan:create');
  const { input, labels, placeOf, worktree } = await planInput({ stores, reader }, caller, request);
  const body_hash = hashOf(input, worktree);
  const facts: PlanFacts = {
    body_hash,
    created_at: Date.now(),
    trigger: caller.trigger,
    ...(request.session && { session: request.session }),
    ...(request.pipeline && { pipeline: request.pipeline }),
    ...(request.operation && { operation: request.operation }),
    ...(Object.keys(labels).length > 0 && { labels }),
  };
  if (request.enrollment) {
    const enrolled = await enroll(client, caller.principal.org_id, request.enrollment, (plan_id, enrollment) =>
      start(client, { ...input, plan_id }, { ...facts, enrollment }, placeOf),
    );
    return { ...enrolled, created: true };
  }
  const existing = await start(client, input, facts, placeOf);
  if (!existing) return { plan_id: input.plan_id, created: true };
  if (existing.facts.body_hash === body_hash && sameLabels(existing.facts.labels, labels))
    return { plan_id: input.plan_id, created: false };
  throw new Fault('PLAN_EXISTS', `plan ${input.plan_id} exists already, made from another request`);
}

async function planInput(
  { stores, reader }: { stores: Stores; reader: PlanReader },
  caller: Caller,
  request: CreateRequest,
): Promise<{ input: PlanInput; labels: Record<string, string>; placeOf: PlaceOf; worktree: boolean }> {
  const { plan_id, enrollment } = request;
  if (plan_id !== undefined && enrollment)
    throw new Fault(
      'REQUEST_INVALID',
      'an enrollment chooses the id itself: leave out either it or the plan_id (or Idempotency-Key)',
    );
  if (plan_id !== undefined && !isPlanId(plan_id))
    throw new Fault('REQUEST_INVALID', `plan_id: "${plan_id.slice(0, 80)}" is not a UUID`);
  const read = await reader.read(caller.principal.org_id, request.plan, request.inputs);
  const { definition, inputs, permissions, review } = read;
  const labels = labelsOf(read);
  for (const permission of permissions) mustHave(caller, permission as Permission);
  const input: PlanInput = {
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
    inputs_given: Object.keys(request.inputs ?? {}),
    ...(request.session && { session: { id: request.session.id } }),
    ...sourceOf(request.plan),
    ...chargedTo(read, request.charged_to),
  };
  const { worktree = read.worktree } = request;
  const placeOf = worktree ? await worktreePlace(request, stores.worktrees) : () => request.place;
  return { input, labels, placeOf, worktree };
}

/** Temporal counts timers in nanoseconds, and would run over not far beyond. */
const FARTHEST_MS = 100 * 365.25 * 86_400_000;

function timeOf(text: string): number {
  const time = parseTime(text);
  if (time === undefined)
    throw new Fault(
      'REQUEST_INVALID',
      `start_at: "${text.slice(0, 80)}" is not a time; give one like 2026-01-31T09:00:00Z`,
    );
  if (time > Date.now() + FARTHEST_MS)
    throw new Fault('REQUEST_INVALID', `start_at: "${text}" is more than 100 years ahead`);
  return time;
}

/** Starts the plan's first run; gives what is there instead when the id is taken. */
async function start(
  client: Client,
  input: PlanInput,
  facts: PlanFacts,
  placeOf: PlaceOf,
): Promise<Described | undefined> {
  const { plan_id, principal } = input;
  const place = placeOf(plan_id);
  const { worktree } = place;
  try {
    await startWorkflow(client, { ...input, place }, worktree ? { ...facts, worktree } : facts, {
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

/** The same for the same request, in whatever order its keys are, whoever sends it. */
function hashOf({ definition, inputs, review, start_at, charged_to }: PlanInput, worktree: boolean): string {
  const asked = { ...(worktree && { worktree }), ...(charged_to && { charged_to }) };
  const body = { definition, inputs, review, start_at: start_at ?? null, ...asked } as unknown as Json;
  return createHash('sha256').update(canonical(body)).digest('hex');
}

/** They are no part of the definition, and of the request all the same. */
const sameLabels = (had: Record<string, string> = {}, has: Record<string, string>): boolean =>
  canonical(had) === canonical(has);
