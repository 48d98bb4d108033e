import type { Limits } from './ledger.ts';
import type { LimitName } from './limits.ts';

/** Which of the organisation's limits it is that was reached, where it is one of them. */
export const LIMIT_FIELD: Partial<Record<LimitName, keyof Limits>> = {
  chat: 'maxTokensPerChat',
  day_tokens: 'maxTokensPerDay',
  day_cost: 'maxCostPerDay',
  project: 'maxCostPerProject',
};
