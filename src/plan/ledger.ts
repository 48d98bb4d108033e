import type { Budget } from './attempt.ts';
import type { LimitDetails } from './limits.ts';

/** What an organisation may spend; null = as much as it likes. Days are those of UTC. */
export interface Limits {
  maxTokensPerChat: number | null;
  maxTokensPerDay: number | null;
  maxCostPerDay: number | null;
  maxCostPerProject: number | null;
}
export const NO_LIMITS: Limits = {
  maxTokensPerChat: null,
  maxTokensPerDay: null,
  maxCostPerDay: null,
  maxCostPerProject: null,
};

export interface Scopes {
  plan: string;
  chat?: string;
  project?: string;
  budget?: Budget;
}

/** A call of a model, before and after. Its id is the same however often it is told. */
export interface CallTold {
  id: string;
  tokens: number;
  cost: number;
  scopes: Scopes;
}

/** Tokens, and money in billionths: sums of whole numbers are the same in any order. */
interface Amount {
  tokens: number;
  cost: number;
}
export interface Counter {
  spent: Amount;
  /** Reserved by calls in flight. */
  open: Amount;
  /** The limits at which somebody was warned already. */
  warned: Partial<Amount>;
}

/**
 * `open`: reserved; `settled`: counted as it came; `dropped`: its attempt was made anew, so that it counts only if it is settled
 * all the same; `overdue`: never settled, and counted as estimated until it is.
 */
type CallStatus = 'open' | 'settled' | 'dropped' | 'overdue';
export interface Call {
  status: CallStatus;
  estimate: Amount;
  /** What it is counted against. */
  keys: string[];
  at: number;
}

export const SETTLED: Call = { status: 'settled', estimate: { tokens: 0, cost: 0 }, keys: [], at: 0 };

export type Refused = Required<Pick<LimitDetails, 'spent' | 'max' | 'needed' | 'unit'>> & {
  limit: Exclude<LimitDetails['limit'], 'provider'>;
};
export type Reserved = { granted: true; warnings?: Warning[] } | ({ granted: false } & Refused);
/** Most of a limit is spent. */
export type Warning = Omit<Refused, 'needed'> & { scope: string };

/** What of a budget was raised or lowered since; null = no limit. */
export interface BudgetChange {
  max_tokens?: number | null | undefined;
  max_cost?: number | null | undefined;
}

/** All that an organisation's calls of models came to, as far as limits count it. */
export interface Ledger {
  limits: Limits;
  /** Those touched last at the end. */
  counters: Map<string, Counter>;
  calls: Map<string, Call>;
  /** Ids of the calls in flight, the oldest first. */
  open: Set<string>;
  /** The latest attempt and dispatch of each task that has asked; not carried over. */
  latest: Map<string, Pick<Place, 'attempt' | 'dispatch'>>;
  refused: Map<string, Refused>;
  warnings: Map<string, Warning[]>;
  /** By plan: changes win over what its file says. */
  budgets: Map<string, { file: Budget; changed: BudgetChange }>;
}

/** What is kept; the least recently used is forgotten first, but for what is in flight. */
const MOST = { counters: 10_000, calls: 10_000, refused: 1_000, warnings: 500, budgets: 3_000 } as const;
/** A reservation that was not settled for so long counts as spent. */
export const OVERDUE_MS = 3_600_000;
const WARN_AT = 0.8;

export const emptyLedger = (): Ledger => ({
  limits: { ...NO_LIMITS },
  counters: new Map(),
  calls: new Map(),
  open: new Set(),
  latest: new Map(),
  refused: new Map(),
  warnings: new Map(),
  budgets: new Map(),
});

const BILLION = 1e9;
const amountOf = ({ tokens, cost }: Amount): Amount => ({ tokens, cost: Math.round(cost * BILLION) });
const shown = (unit: 'tokens' | 'cost', amount: number): number => (unit === 'cost' ? amount / BILLION : amount);
export const dayOf = (now: number): string => new Date(now).toISOString().slice(0, 10);

const keysOf = ({ plan, chat, project }: Scopes, now: number): string[] => [
  `plan:${plan}`,
  ...(chat === undefined ? [] : [`chat:${chat}`]),
  `day:${dayOf(now)}`,
  ...(project === undefined ? [] : [`project:${project}`]),
];

export const nothing = (): Counter => ({ spent: { tokens: 0, cost: 0 }, open: { tokens: 0, cost: 0 }, warned: {} });

function touched(ledger: Ledger, key: string): Counter {
  const counter = ledger.counters.get(key) ?? nothing();
  ledger.counters.delete(key);
  ledger.counters.set(key, counter);
  return counter;
}

function add(
  ledger: Ledger,
  keys: readonly string[],
  which: 'spent' | 'open',
  { tokens, cost }: Amount,
  sign = 1,
): void {
  for (const key of keys) {
    const counter = touched(ledger, key);
    counter[which].tokens += sign * tokens;
    counter[which].cost += sign * cost;
  }
}

interface Limit {
  limit: Refused['limit'];
  key: string;
  unit: 'tokens' | 'cost';
  /** As it is counted. */
  max: number;
}

/** What the plan may spend by now. */
export function budgetOf({ budgets }: Ledger, plan: string, told?: Budget): Budget {
  const { file = told ?? {}, changed = {} } = budgets.get(plan) ?? {};
  const tokens = changed.max_tokens === undefined ? file.max_tokens : changed.max_tokens;
  const cost = changed.max_cost === undefined ? file.max_cost : changed.max_cost;
  return { ...(tokens != null && { max_tokens: tokens }), ...(cost != null && { max_cost: cost }) };
}

function limitsOf(ledger: Ledger, scopes: Scopes, now: number): Limit[] {
  const { maxTokensPerChat, maxTokensPerDay, maxCostPerDay, maxCostPerProject } = ledger.limits;
  const { max_tokens, max_cost } = budgetOf(ledger, scopes.plan, scopes.budget);
  const { plan, chat, project } = scopes;
  const day = `day:${dayOf(now)}`;
  const all: [Refused['limit'], string | undefined, Limit['unit'], number | null | undefined][] = [
    ['plan', `plan:${plan}`, 'tokens', max_tokens],
    ['plan', `plan:${plan}`, 'cost', max_cost],
    ['chat', chat && `chat:${chat}`, 'tokens', maxTokensPerChat],
    ['day_tokens', day, 'tokens', maxTokensPerDay],
    ['day_cost', day, 'cost', maxCostPerDay],
    ['project', project && `project:${project}`, 'cost', maxCostPerProject],
  ];
  return all.flatMap(([limit, key, unit, max]) => {
    if (key === undefined || key === '' || max === null || max === undefined) return [];
    return [{ limit, key, unit, max: unit === 'cost' ? Math.round(max * BILLION) : max }];
  });
}

const sum = ({ counters }: Ledger, { key, unit }: Pick<Limit, 'key' | 'unit'>): number => {
  const { spent, open } = counters.get(key) ?? nothing();
  return spent[unit] + open[unit];
};

/** Which limit, if any, a call of this size would break now. Changes nothing. */
export function wouldBreak(ledger: Ledger, told: Omit<CallTold, 'id'>, now: number): Refused | undefined {
  const estimate = amountOf(told);
  for (const one of limitsOf(ledger, told.scopes, now)) {
    const spent = sum(ledger, one);
    const { limit, unit, max } = one;
    if (spent + estimate[unit] > max)
      return {
        limit,
        spent: shown(unit, spent),
        max: shown(unit, max),
        needed: shown(unit, estimate[unit]),
        unit,
      };
  }
  return undefined;
}

/**
 * Reserves what a call may cost, unless a limit would break. The same id again has the same answer and changes nothing. One that
 * comes when its attempt has been made anew, as from a worker that is dead by now, is not taken: nobody would settle it.
 */
export function reserve(ledger: Ledger, told: CallTold, now: number): void {
  const { id, scopes } = told;
  sweep(ledger, now);
  if (ledger.calls.has(id) || ledger.refused.has(id)) return;
  if (scopes.budget) learnBudget(ledger, scopes.plan, scopes.budget);
  const place = placeOf(id);
  const latest = place && ledger.latest.get(place.task);
  if (place && latest && isBefore(place, latest)) return;
  if (place) {
    ledger.latest.delete(place.task);
    ledger.latest.set(place.task, { attempt: place.attempt, dispatch: place.dispatch });
    dropEarlier(ledger, place);
  }
  const refused = wouldBreak(ledger, told, now);
  if (refused) ledger.refused.set(id, refused);
  else {
    const estimate = amountOf(told);
    const keys = keysOf(scopes, now);
    ledger.calls.set(id, { status: 'open', estimate, keys, at: now });
    ledger.open.add(id);
    add(ledger, keys, 'open', estimate);
    const warnings = warningsOf(ledger, scopes, now);
    if (warnings.length > 0) ledger.warnings.set(id, warnings);
  }
  forget(ledger);
}

/** What a call came to. Counted once, whether it was reserved, is told again, or told too late. */
export function settle(ledger: Ledger, told: CallTold, now: number): void {
  sweep(ledger, now);
  const { id, scopes } = told;
  const call = ledger.calls.get(id);
  if (call?.status === 'settled') return;
  const keys = call?.keys ?? keysOf(scopes, now);
  if (call?.status === 'open') add(ledger, keys, 'open', call.estimate, -1);
  if (call?.status === 'overdue') add(ledger, keys, 'spent', call.estimate, -1);
  const amount = amountOf(told);
  add(ledger, keys, 'spent', amount);
  ledger.open.delete(id);
  ledger.calls.delete(id);
  ledger.calls.set(id, SETTLED);
  forget(ledger);
}

/** What became of a reservation; undefined = nothing is known of it. */
export function outcomeOf({ calls, refused, warnings }: Ledger, id: string): Reserved | undefined {
  const no = refused.get(id);
  if (no) return { granted: false, ...no };
  const told = warnings.get(id);
  return calls.has(id) ? { granted: true, ...(told && { warnings: told }) } : undefined;
}

/** What a plan's file says. */
export function learnBudget({ budgets }: Ledger, plan: string, file: Budget): void {
  const changed = budgets.get(plan)?.changed ?? {};
  budgets.delete(plan);
  budgets.set(plan, { file, changed });
}

/** Changes a plan's budget from now on, whatever its file says. What is not named stays. */
export function changeBudget({ budgets }: Ledger, plan: string, change: BudgetChange): void {
  const { file = {}, changed = {} } = budgets.get(plan) ?? {};
  const named = Object.fromEntries(Object.entries(change).filter(([, value]) => value !== undefined));
  budgets.delete(plan);
  budgets.set(plan, { file, changed: { ...changed, ...named } });
}

/** Limits that are not named stay as they are. */
export function changeLimits(ledger: Ledger, change: Partial<Limits>): void {
  for (const name of Object.keys(NO_LIMITS) as (keyof Limits)[]) {
    const limit = change[name];
    if (limit !== undefined) ledger.limits[name] = limit;
  }
}

/** A call's place among those of its task, which its id ends with: attempt, dispatch, and the how-manieth. */
interface Place {
  task: string;
  attempt: number;
  dispatch: number;
}
function placeOf(id: string): Place | undefined {
  const [, task, attempt, dispatch] = /^(.*)#(\d+)\.(\d+)\.\d+$/s.exec(id) ?? [];
  return task === undefined ? undefined : { task, attempt: Number(attempt), dispatch: Number(dispatch) };
}

const isBefore = (a: Omit<Place, 'task'>, b: Omit<Place, 'task'>): boolean =>
  a.attempt < b.attempt || (a.attempt === b.attempt && a.dispatch < b.dispatch);

/** Calls of an attempt whose worker died keep nothing reserved once the attempt is made anew. */
function dropEarlier(ledger: Ledger, place: Place): void {
  for (const other of ledger.open) {
    const before = other.startsWith(`${place.task}#`) ? placeOf(other) : undefined;
    if (before && before.task === place.task && isBefore(before, place)) close(ledger, other, 'dropped');
  }
}

function close(ledger: Ledger, id: string, status: 'dropped' | 'overdue'): void {
  const call = ledger.calls.get(id)!;
  call.status = status;
  ledger.open.delete(id);
  add(ledger, call.keys, 'open', call.estimate, -1);
  if (status === 'overdue') add(ledger, call.keys, 'spent', call.estimate);
}

function sweep(ledger: Ledger, now: number): void {
  for (const id of ledger.open) {
    if (now - ledger.calls.get(id)!.at < OVERDUE_MS) return;
    close(ledger, id, 'overdue');
  }
}

/** Once for each limit and what it is of; again when the limit has been changed. */
function warningsOf(ledger: Ledger, scopes: Scopes, now: number): Warning[] {
  return limitsOf(ledger, scopes, now).flatMap((one) => {
    const { limit, key, unit, max } = one;
    const spent = sum(ledger, one);
    const { warned } = ledger.counters.get(key)!;
    if (spent < max * WARN_AT || warned[unit] === max) return [];
    warned[unit] = max;
    return [{ limit, scope: key, spent: shown(unit, spent), max: shown(unit, max), unit }];
  });
}

function forget({ counters, calls, open, latest, refused, warnings, budgets }: Ledger): void {
  const oldest = <T>(map: Map<string, T>, most: number, keeps: (key: string, value: T) => boolean = () => false) => {
    let over = map.size - most;
    for (const [key, value] of map) {
      if (over <= 0) return;
      if (keeps(key, value)) continue;
      map.delete(key);
      over -= 1;
    }
  };
  oldest(counters, MOST.counters, (_, { open: { tokens, cost } }) => tokens !== 0 || cost !== 0);
  oldest(calls, MOST.calls, (id) => open.has(id));
  oldest(latest, MOST.calls);
  oldest(refused, MOST.refused);
  oldest(warnings, MOST.warnings);
  oldest(budgets, MOST.budgets);
}

/** What is spent of one thing that a limit may be set for. */
export interface Spent {
  tokens: number;
  cost: number;
  /** Of calls in flight, by their estimates. */
  reserved: Amount;
}

export function spentOf({ counters }: Ledger, key: string): Spent {
  const { spent, open } = counters.get(key) ?? nothing();
  return {
    tokens: spent.tokens,
    cost: shown('cost', spent.cost),
    reserved: { tokens: open.tokens, cost: shown('cost', open.cost) },
  };
}
