import { freeze } from './clocks.ts';
import { record } from './events.ts';
import type { JsonObject } from './json.ts';
import type { Plan } from './plan.ts';
import type { Hold } from './state.ts';

/** Which limit was reached: our own, by what it counts, or the provider's. */
export type LimitName = 'plan' | 'chat' | 'day_tokens' | 'day_cost' | 'project' | 'provider';

/** What an attempt that reached a limit told of it. */
export interface LimitDetails {
  limit: LimitName;
  /** What is settled, and what others have reserved. */
  spent?: number;
  max?: number;
  /** What the call asked for that was refused. */
  needed?: number;
  unit?: 'tokens' | 'cost';
  /** All that the call asked for, in both units. */
  tokens?: number;
  cost?: number;
  /** What the provider said. */
  message?: string;
  /** When the provider's limit is lifted, as it says; ISO 8601. */
  resets_at?: string;
  /** What the call was counted against. */
  chat?: string;
  project?: string;
}

/** Whose hold it is when a limit holds a plan. */
export const HOLDER = { id: 'holdpoint', name: 'Holdpoint' } as const;

/**
 * Holds the plan because a limit was reached, as a pause does: nothing new starts, what runs ends by itself. A plan that stands
 * still already, or comes to its end anyway, is left as it is. Tells whether it is held now by this.
 */
export function holdByLimit({ state, index }: Plan, limit: LimitDetails, now: number): boolean {
  if (state.pause || state.stop || (index.fatal.length > 0 && !state.closing)) return false;
  const { name: by } = HOLDER;
  const reason = limit.limit === 'provider' ? 'provider_limit' : 'cost_limit';
  for (const i of index.clocks) {
    const task = state.tasks[i]!;
    task.clock = freeze(task.clock!, now);
  }
  if (state.deadline) state.deadline = freeze(state.deadline, now);
  const { seq } = record(state, now, 'PlanPaused', {
    by,
    message: limitWords(limit),
    details: { ...limit } as JsonObject,
  });
  state.pause = { reason, since: now, by, limit: { n: seq, ...limit } };
  return true;
}

/** A child was held by a limit, and says so: its whole plan is held. Once for each time, though it is told often. */
export function limitTold(plan: Plan, key: string, limit: NonNullable<Hold['limit']>, now: number): boolean {
  const { limited } = plan.index;
  if (limit.n <= (limited.get(key) ?? 0)) return false;
  limited.set(key, limit.n);
  const { n: _, ...details } = limit;
  return holdByLimit(plan, details, now);
}

const LIMITS: Record<Exclude<LimitName, 'provider'>, string> = {
  plan: 'the budget of the plan',
  chat: 'the token limit of the chat',
  day_tokens: 'the token limit of the day',
  day_cost: 'the cost limit of the day',
  project: 'the cost limit of the project',
};

/** A limit that was reached, in words with numbers. */
export function limitWords({ limit, spent, max, needed, unit, message, resets_at }: LimitDetails): string {
  if (limit === 'provider')
    return `the provider's limit is reached${message ? `: ${message}` : ''}${resets_at ? ` (until ${resets_at})` : ''}`;
  const what = unit === 'cost' ? '' : ' tokens';
  if (spent === undefined || max === undefined) return `${LIMITS[limit]} is reached`;
  const next = needed === undefined ? '' : `, and the next call needs ${amount(needed)}`;
  return `${LIMITS[limit]} is reached: ${amount(spent)} of ${amount(max)}${what} are spent or reserved${next}`;
}

/** Most of a limit is spent, in words. */
export function warningWords({
  limit,
  spent,
  max,
  unit,
}: Required<Pick<LimitDetails, 'spent' | 'max' | 'unit'>> & LimitDetails) {
  const name = limit === 'provider' ? "the provider's limit" : LIMITS[limit];
  return `${Math.floor((100 * spent) / max)} % of ${name}: ${amount(spent)} of ${amount(max)}${unit === 'cost' ? '' : ' tokens'} are spent or reserved`;
}

const RAISE: Record<LimitName, string> = {
  plan: 'resume it with a larger budget',
  chat: 'raise maxTokensPerChat, then resume',
  day_tokens: 'raise maxTokensPerDay or wait until the next day (UTC), then resume',
  day_cost: 'raise maxCostPerDay or wait until the next day (UTC), then resume',
  project: 'raise maxCostPerProject, then resume',
  provider: 'resume when the provider answers again',
};
/** What somebody has to do about it. */
export const limitRemedy = ({ limit }: LimitDetails): string => RAISE[limit];

/** Large numbers are read in groups: 350,000. Money as it is, to six places. */
export function amount(value: number): string {
  const [whole = '', part] = String(Math.round(value * 1e6) / 1e6).split('.');
  const grouped = whole.replace(/\B(?=(\d{3})+$)/g, ',');
  return part === undefined ? grouped : `${grouped}.${part}`;
}
