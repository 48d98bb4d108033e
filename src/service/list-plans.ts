import { type Client, isGrpcServiceError } from '@temporalio/client';
import { PLAN_WORKFLOW, workflowId } from '../contract/names.ts';
import { SEARCH_ATTRIBUTES } from '../contract/search-attributes.ts';
import { Fault } from '../faults.ts';
import { PLAN_STATUSES, type PlanStatus } from '../plan/lifecycle.ts';
import { type Caller, mustHave } from './caller.ts';
import { lastStatus } from './described.ts';
import { mayBe, quoted } from './visibility-query.ts';

const { org, plan, owner } = SEARCH_ATTRIBUTES;
const stateName = SEARCH_ATTRIBUTES.state.name;

export interface ListRequest {
  limit?: number;
  cursor?: string;
  state?: string;
  name?: string;
}
export interface PlanSummary {
  plan_id: string;
  name: string;
  state: { status: PlanStatus };
  owner: string;
  created_at: string;
  ended_at: string | null;
}
export interface PlanList {
  plans: PlanSummary[];
  next_cursor: string | null;
}

/** gRPC's UNKNOWN and INVALID_ARGUMENT: what Temporal answers to a page token that is none. */
const MALFORMED = [2, 3];

/** The organisation's plans, open ones first, each newest first, by Temporal's visibility: a plan shows up within about a second. */
export async function listPlans(client: Client, caller: Caller, request: ListRequest = {}): Promise<PlanList> {
  mustHave(caller, 'plan:read');
  const { limit = 50, cursor, state, name } = request;
  if (!Number.isInteger(limit) || limit < 1 || limit > 500)
    throw new Fault('REQUEST_INVALID', `limit: "${limit}" is not a whole number from 1 to 500`);
  if (state !== undefined && !(PLAN_STATUSES as readonly string[]).includes(state))
    throw new Fault('REQUEST_INVALID', `state: "${state}" is not one of ${PLAN_STATUSES.join(', ')}`);
  const query = [
    `WorkflowType = ${quoted(PLAN_WORKFLOW)}`,
    `${org.name} = ${quoted(caller.principal.org_id)}`,
    `ExecutionStatus != 'ContinuedAsNew'`,
    ...(state === undefined ? [] : [`${stateName} = ${quoted(state)}`]),
    ...(name === undefined ? [] : [mayBe(plan.name, name)]),
  ].join(' AND ');
  const page = await client.workflowService
    .listWorkflowExecutions({
      namespace: client.options.namespace,
      query,
      pageSize: limit,
      nextPageToken: cursor === undefined ? undefined : Buffer.from(cursor, 'base64url'),
    })
    .catch((error: unknown) => {
      const message = (error as Error).message;
      if (cursor !== undefined && isGrpcServiceError(error) && MALFORMED.includes(error.code))
        throw new Fault('REQUEST_INVALID', 'cursor: not one that a list gave', { cause: error });
      throw new Fault('ENGINE_UNAVAILABLE', `Temporal did not answer: ${message}`, { cause: error });
    });
  const seen = new Set<string>();
  const own = page.executions.filter(({ execution }) => isOf(caller.principal.org_id, execution?.workflowId ?? ''));
  const plans = own
    .map(summary)
    .filter((plan) => name === undefined || plan.name === name)
    .filter(({ plan_id }) => !seen.has(plan_id) && seen.add(plan_id));
  const token = page.nextPageToken;
  return { plans, next_cursor: token && token.length > 0 ? Buffer.from(token).toString('base64url') : null };
}

/** Some databases compare without regard to case; a Workflow Id is what it is. */
export const isOf = (orgId: string, id: string): boolean => id.startsWith(workflowId(orgId, ''));

export type Execution = Awaited<ReturnType<Client['workflowService']['listWorkflowExecutions']>>['executions'][number];

function summary(info: Execution): PlanSummary {
  const attribute = (name: string) => decoded(info.searchAttributes?.indexedFields?.[name]?.data);
  const closed = time(info.closeTime);
  return {
    plan_id: info.execution?.workflowId?.split('/').at(-1) ?? '',
    name: String(attribute(plan.name) ?? ''),
    state: {
      status: statusOf(info),
    },
    owner: String(attribute(owner.name) ?? ''),
    created_at: time(info.startTime) ?? '',
    ended_at: closed ?? null,
  };
}

/** How a plan stands, from Temporal's list. */
export function statusOf({ status, searchAttributes }: Execution): PlanStatus {
  if (ENDED_OUTSIDE.includes(status ?? 0)) return 'stopped';
  return lastStatus(decoded(searchAttributes?.indexedFields?.[stateName]?.data), STATUS[status ?? 0] ?? '');
}

/** Temporal's numbers for how a workflow stands. */
const STATUS: Record<number, string> = { 1: 'RUNNING', 2: 'COMPLETED', 3: 'FAILED' };
/** Cancelled, terminated, timed out. */
const ENDED_OUTSIDE = [4, 5, 7];

function decoded(data: Uint8Array | null | undefined): unknown {
  const value: unknown = data ? JSON.parse(Buffer.from(data).toString('utf8')) : undefined;
  return Array.isArray(value) ? value[0] : value;
}

function time(stamp: Execution['startTime']): string | undefined {
  return stamp ? new Date(Number(stamp.seconds) * 1_000 + (stamp.nanos ?? 0) / 1e6).toISOString() : undefined;
}
