import type { Client } from '@temporalio/client';
import type {
  LedgerBudgetSet,
  LedgerCheck,
  LedgerLimitsSet,
  LedgerSeen,
  LedgerView,
} from '../contract/ledger-payloads.ts';
import { LEDGER_BUDGET, LEDGER_LIMITS_SET, LEDGER_QUERIES, ledgerId } from '../contract/names.ts';
import type { PlanInput } from '../contract/payloads.ts';
import { Fault } from '../faults.ts';
import { type BudgetChange, dayOf, type Limits, NO_LIMITS, type Refused, type Spent } from '../plan/ledger.ts';
import { amount, type LimitDetails, limitRemedy, limitWords } from '../plan/limits.ts';
import type { PlanView } from '../plan/view.ts';
import { askReplayed } from './ask-replayed.ts';
import { type Caller, mustHave } from './caller.ts';
import { mustBePlanId } from './ids.ts';
import { latestInput } from './latest-input.ts';
import { toldByNow } from './ledger/entries.ts';
import { signalLedger } from './ledger/signal.ts';
import { type ask, NO_ANSWER, NOT_FOUND } from './queries.ts';

/** What the organisation may spend, and has spent today (UTC). */
export interface LimitsView extends Limits {
  limits: Limits;
  /** Of a chat and a project where they are named. */
  spent: { today: Spent & { date: string }; chat?: Spent; project?: Spent };
}
/** What a plan may spend, and has spent. */
export interface BudgetView {
  plan_id: string;
  budget: { max_tokens: number | null; max_cost: number | null };
  spent: Spent;
}

const NOTHING: Spent = { tokens: 0, cost: 0, reserved: { tokens: 0, cost: 0 } };

async function asked<Answer, Request>(
  client: Client,
  orgId: string,
  query: string,
  request: Request,
  asking: typeof ask = askReplayed,
): Promise<Answer | undefined> {
  await toldByNow(orgId);
  const answer = await asking<Answer>(client, { id: ledgerId(orgId) }, query, request);
  if (answer === NO_ANSWER)
    throw new Fault('ENGINE_UNAVAILABLE', 'the ledger of what models cost did not answer in time');
  return answer === NOT_FOUND ? undefined : answer;
}

/** What is spent of a plan, a chat and a project; and the limits. `asking` with `ask`: who can do without is not held up. */
export async function readLedger(
  client: Client,
  { principal: { org_id } }: Caller,
  seen: Omit<LedgerSeen, 'now'> = {},
  asking?: typeof ask,
): Promise<LedgerView> {
  const now = Date.now();
  const view = await asked<LedgerView, LedgerSeen>(client, org_id, LEDGER_QUERIES.view, { now, ...seen }, asking);
  if (view) return view;
  return {
    limits: NO_LIMITS,
    day: { date: dayOf(now), ...NOTHING },
    ...(seen.plan !== undefined && { plan: { ...NOTHING, budget: {}, known: false } }),
    ...(seen.chat !== undefined && { chat: NOTHING }),
    ...(seen.project !== undefined && { project: NOTHING }),
  };
}

export async function readLimits(
  client: Client,
  caller: Caller,
  of: { chat?: string | undefined; project?: string | undefined } = {},
): Promise<LimitsView> {
  mustHave(caller, 'plan:read');
  return limitsView(await readLedger(client, caller, of));
}

/** Limits that are not named stay; null lifts one. */
export async function setLimits(client: Client, caller: Caller, limits: Partial<Limits>): Promise<LimitsView> {
  mustHave(caller, 'admin');
  const told: LedgerLimitsSet = { schema_version: 1, limits };
  await tellLedger(client, caller, LEDGER_LIMITS_SET, told);
  return limitsView(await readLedger(client, caller));
}

async function tellLedger<Told>(client: Client, { principal }: Caller, signal: string, told: Told): Promise<void> {
  await signalLedger(client, principal.org_id, signal, told).catch((error: unknown) => {
    throw new Fault('ENGINE_UNAVAILABLE', `Temporal did not take it: ${(error as Error).message}`, { cause: error });
  });
}

const limitsView = ({ limits, day, chat, project }: LedgerView): LimitsView => ({
  ...limits,
  limits,
  spent: { today: day, ...(chat && { chat }), ...(project && { project }) },
});

/** Raises or lowers what a plan may spend; what is not named stays, null lifts it. */
export async function setBudget(
  client: Client,
  caller: Caller,
  planId: string,
  budget: BudgetChange,
): Promise<BudgetView> {
  const { charged_to } = await latestInput(client, caller, planId, 'plan:approve');
  const told: LedgerBudgetSet = {
    schema_version: 1,
    plan: mustBePlanId(planId),
    budget,
    ...(charged_to?.budget && { file: charged_to.budget }),
  };
  await tellLedger(client, caller, LEDGER_BUDGET, told);
  return await budgetNow(client, caller, planId, charged_to);
}

export async function readBudget(client: Client, caller: Caller, planId: string): Promise<BudgetView> {
  const { charged_to } = await latestInput(client, caller, planId);
  return await budgetNow(client, caller, planId, charged_to);
}

async function budgetNow(
  client: Client,
  caller: Caller,
  planId: string,
  charged_to: PlanInput['charged_to'],
): Promise<BudgetView> {
  const plan_id = mustBePlanId(planId);
  const { plan } = await readLedger(client, caller, { plan: plan_id });
  const { budget, known, ...spent } = plan!;
  const { max_tokens = null, max_cost = null } = known ? budget : (charged_to?.budget ?? {});
  return { plan_id, budget: { max_tokens, max_cost }, spent };
}

/** What keeps a plan that a limit holds from going on; undefined = nothing any more. */
async function stillOver(
  client: Client,
  { principal: { org_id } }: Caller,
  { plan_id, hold }: Pick<PlanView, 'plan_id' | 'hold'>,
): Promise<LimitDetails | undefined> {
  if (hold?.reason !== 'cost_limit' || !hold.details) return undefined;
  const { unit = 'tokens', needed = 1, tokens = 0, cost = 0, chat, project } = hold.details;
  const scopes = { plan: plan_id, ...(chat !== undefined && { chat }), ...(project !== undefined && { project }) };
  const call = { tokens, cost, [unit]: needed };
  const check: LedgerCheck = { ...call, scopes, now: Date.now() };
  const answer = await asked<{ refused: Refused | null }, LedgerCheck>(client, org_id, LEDGER_QUERIES.check, check);
  return answer?.refused ? { ...answer.refused, ...scopes } : undefined;
}

/** Refuses to let a plan go on that would only be held again. Throws COST_LIMIT, with the numbers. */
export async function mustBeWithinLimits(
  client: Client,
  caller: Caller,
  view: Pick<PlanView, 'plan_id' | 'hold'>,
): Promise<void> {
  const over = await stillOver(client, caller, view);
  if (over) throw costLimit(over as LimitDetails & Refused);
}

export function costLimit(over: LimitDetails & Refused): Fault {
  const { limit, spent, max, needed, unit } = over;
  const missing = Math.round((spent + needed - max) * 1e9) / 1e9;
  const what = unit === 'tokens' ? ' tokens' : '';
  const message = `${limitWords(over)}; ${amount(missing)}${what} are missing: ${limitRemedy(over)}`;
  return new Fault('COST_LIMIT', message, { limit: { errorType: 'cost_limit', limit, spent, max, missing, unit } });
}
