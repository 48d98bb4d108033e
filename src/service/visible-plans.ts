import { type Client, isGrpcServiceError } from '@temporalio/client';
import { PLAN_WORKFLOW, workflowId } from '../contract/names.ts';
import { SEARCH_ATTRIBUTES } from '../contract/search-attributes.ts';
import { Fault } from '../faults.ts';
import type { PlanStatus } from '../plan/lifecycle.ts';
import { ENDED_OUTSIDE, lastStatus } from './described.ts';
import { searchable } from './searchable.ts';
import type { PlanFacts } from './start-workflow.ts';

/** A run of a plan as Temporal's visibility has it, which is behind by up to about a second. */
export interface VisiblePlan {
  plan_id: string;
  run_id: string;
  name: string;
  owner: string;
  status: PlanStatus;
  open: boolean;
  started_at: Date;
  closed_at: Date | undefined;
  facts: Partial<PlanFacts>;
}
export interface VisiblePage {
  plans: VisiblePlan[];
  next_token: Uint8Array | undefined;
}

/** gRPC's UNKNOWN and INVALID_ARGUMENT: what Temporal answers to a page token that is none. */
const MALFORMED = [2, 3];

/**
 * One page of an organisation's plans for which all conditions hold, open ones first, each newest first; of a run that was
 * carried over, only what it was carried over to.
 */
export async function visiblePlans(
  client: Client,
  orgId: string,
  conditions: string[],
  pageSize: number,
  nextPageToken?: Uint8Array,
): Promise<VisiblePage> {
  const { namespace } = client.options;
  const query = [...ofOrganisation(orgId), ...conditions].join(' AND ');
  const page = await client.workflowService
    .listWorkflowExecutions({ namespace, query, pageSize, nextPageToken })
    .catch((error: unknown) => {
      const message = (error as Error).message;
      if (nextPageToken && isGrpcServiceError(error) && MALFORMED.includes(error.code))
        throw new Fault('REQUEST_INVALID', 'cursor: not one that a list gave', { cause: error });
      throw new Fault('ENGINE_UNAVAILABLE', `Temporal did not answer: ${message}`, { cause: error });
    });
  const token = page.nextPageToken;
  // Some databases compare without regard to case; a Workflow Id is what it is.
  const own = page.executions.filter(({ execution }) => execution?.workflowId?.startsWith(workflowId(orgId, '')));
  return { plans: own.map(visible), next_token: token && token.length > 0 ? token : undefined };
}

const ofOrganisation = (orgId: string): string[] => [
  `WorkflowType = ${quoted(PLAN_WORKFLOW)}`,
  `${SEARCH_ATTRIBUTES.org.name} = ${quoted(orgId)}`,
  `ExecutionStatus != 'ContinuedAsNew'`,
];

/** A literal of the visibility query language, for what a search attribute holds. */
export const quoted = (text: string): string => `'${searchable(text)}'`;

type Execution = Awaited<ReturnType<Client['workflowService']['listWorkflowExecutions']>>['executions'][number];

function visible(info: Execution): VisiblePlan {
  const attribute = (name: string): unknown => decoded(info.searchAttributes?.indexedFields?.[name]?.data);
  const memo: Partial<PlanFacts> & { name?: string } = Object.fromEntries(
    Object.entries(info.memo?.fields ?? {}).map(([name, { data }]) => [name, decoded(data)]),
  );
  const { name = '', ...facts } = memo;
  const status = STATUS[info.status ?? 0] ?? '';
  return {
    plan_id: info.execution?.workflowId?.split('/').at(-1) ?? '',
    run_id: info.execution?.runId ?? '',
    name,
    owner: String(attribute(SEARCH_ATTRIBUTES.owner.name) ?? ''),
    status: status in ENDED_OUTSIDE ? 'stopped' : lastStatus(attribute(SEARCH_ATTRIBUTES.state.name), status),
    open: status === 'RUNNING',
    started_at: time(info.startTime) ?? new Date(0),
    closed_at: time(info.closeTime),
    facts,
  };
}

/** Temporal's numbers for how a workflow stands. */
const STATUS: Record<number, string> = {
  1: 'RUNNING',
  2: 'COMPLETED',
  3: 'FAILED',
  4: 'CANCELLED',
  5: 'TERMINATED',
  7: 'TIMED_OUT',
};

function decoded(data: Uint8Array | null | undefined): unknown {
  const value: unknown = data ? JSON.parse(Buffer.from(data).toString('utf8')) : undefined;
  return Array.isArray(value) ? value[0] : value;
}

function time(stamp: Execution['startTime']): Date | undefined {
  return stamp ? new Date(Number(stamp.seconds) * 1_000 + (stamp.nanos ?? 0) / 1e6) : undefined;
}
