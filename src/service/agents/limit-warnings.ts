import type { LedgerView } from '../../contract/ledger-payloads.ts';
import type { Limits, Spent } from '../../plan/ledger.ts';
import type { PipelineEvent } from './pipeline-events.ts';

/** Part of a limit from which on people are warned. */
const WARN_AT = 0.8;

/** Which limits a chat comes near to, or has reached. */
export function limitWarnings({ limits, day, chat, project }: LedgerView): PipelineEvent[] {
  const one = (limit: keyof Limits, spent: Spent | undefined, unit: 'tokens' | 'cost'): PipelineEvent[] => {
    const max = limits[limit];
    if (max === null || !spent) return [];
    const used = spent[unit] + spent.reserved[unit];
    if (used < max * WARN_AT) return [];
    const percentUsed = max === 0 ? 100 : Math.floor((used / max) * 100);
    return [{ type: 'limit_warning', payload: { limit, unit, spent: used, max, percentUsed } }];
  };
  return [
    ...one('maxTokensPerChat', chat, 'tokens'),
    ...one('maxTokensPerDay', day, 'tokens'),
    ...one('maxCostPerDay', day, 'cost'),
    ...one('maxCostPerProject', project, 'cost'),
  ];
}
