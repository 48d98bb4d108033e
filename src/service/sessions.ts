import type { Client } from '@temporalio/client';
import { workflowId } from '../contract/names.ts';
import type { Worktree } from '../contract/payloads.ts';
import { SEARCH_ATTRIBUTES } from '../contract/search-attributes.ts';
import { Fault } from '../faults.ts';
import type { PlanStatus } from '../plan/lifecycle.ts';
import type { Position } from '../plan/position.ts';
import type { HoldReason } from '../plan/state.ts';
import { type Caller, mustHave } from './caller.ts';
import { type Described, describePlan } from './described.ts';
import { isPlanId, sessionPlanId } from './ids.ts';
import { readView } from './read-plan.ts';
import type { PlanFacts } from './start-workflow.ts';
import { withoutSuperseded } from './superseded.ts';
import { type VisiblePlan, visiblePlans } from './visible-plans.ts';

/** A plan that a command line started, as far as it can be told without asking the plan. */
export interface Session {
  session_id: string;
  plan_id: string;
  name: string;
  /** The plan's state. */
  state: PlanStatus;
  open: boolean;
  /** What holds a paused one. */
  hold?: HoldReason;
  /** Undefined where only the plan itself knows, which nobody asked. */
  position?: Position;
  /** Absolute paths. */
  file: string | undefined;
  directory: string;
  file_hash: string;
  /** That it works in, where it asked for one. */
  worktree?: Worktree;
  /** Of the words in which it was noted. */
  format: number;
  created_at: Date;
  updated_at: Date;
}

/** How many sessions at work are asked where they are; of more, that is not told. */
const MOST_ASKED = 20;

/** As many as Temporal gives at once. */
const PAGE = 1_000;

/** All sessions of the caller's organisation, newest first; `unfinished` ones are all but those that completed, and much sooner told. */
export async function listSessions(client: Client, caller: Caller, which?: 'unfinished'): Promise<Session[]> {
  mustHave(caller, 'plan:read');
  const { org_id } = caller.principal;
  const conditions = [`${SEARCH_ATTRIBUTES.session.name} IS NOT NULL`];
  if (which) conditions.push(`ExecutionStatus != 'Completed'`);
  const plans: VisiblePlan[] = [];
  let token: Uint8Array | undefined;
  do {
    const page = await visiblePlans(client, org_id, conditions, PAGE, token);
    plans.push(...page.plans);
    token = page.next_token;
  } while (token);
  // What is open is nothing that a later run followed.
  const atWork = plans.filter(({ open, status }) => open && status === 'executing').slice(0, MOST_ASKED);
  const [present, positions] = await Promise.all([
    withoutSuperseded(client, org_id, plans),
    Promise.all(atWork.map(async ({ plan_id }) => [plan_id, await askPosition(client, org_id, plan_id)] as const)),
  ]);
  const asked = new Map(positions);
  const sessions = present.map(({ started_at, closed_at, ...plan }) => {
    const session = sessionOf(plan.plan_id, { ...plan, created_at: started_at, closed_at });
    const position = plan.open ? asked.get(plan.plan_id) : undefined;
    return position ? { ...session, position } : session;
  });
  return sessions.sort((a, b) => b.created_at.getTime() - a.created_at.getTime());
}

const askPosition = async (client: Client, org_id: string, plan_id: string): Promise<Position | undefined> =>
  (await readView(client, { org_id, plan_id }).catch(() => undefined))?.position;

/** The session of this id, or the plan's; throws PLAN_NOT_FOUND. Asks no worker. */
export async function findSession(client: Client, caller: Caller, given: string): Promise<Session> {
  mustHave(caller, 'plan:read');
  const { org_id } = caller.principal;
  const plan_id = isPlanId(given) ? given.toLowerCase() : sessionPlanId(org_id, given);
  const found = await describePlan(client, workflowId(org_id, plan_id), plan_id).catch((error: unknown) => {
    if (!(error instanceof Fault) || error.code !== 'PLAN_NOT_FOUND') throw error;
    throw new Fault('PLAN_NOT_FOUND', `there is no session ${given.slice(0, 200)}`, { cause: error });
  });
  return sessionOf(plan_id, found);
}

type Seen = Pick<Described, 'name' | 'status' | 'open' | 'created_at' | 'closed_at'> & { facts: Partial<PlanFacts> };

function sessionOf(plan_id: string, { name, status, open, created_at, closed_at, facts }: Seen): Session {
  const { session, stands, created_at: made } = facts;
  const { id = plan_id, format = 0, file, file_hash = '', directory = '' } = session ?? {};
  const created = made === undefined ? created_at : new Date(made);
  const { at, hold, ...position } = stands ?? {};
  return {
    session_id: id,
    plan_id,
    name,
    state: status,
    open,
    ...(status === 'paused' && hold && { hold }),
    ...(at !== undefined && status !== 'executing' && { position: position as Position }),
    file,
    directory,
    file_hash,
    format,
    ...(facts.worktree && { worktree: facts.worktree }),
    created_at: created,
    updated_at: closed_at ?? (at === undefined ? created : new Date(at)),
  };
}
