import { isTerminal } from '../../../plan/lifecycle.ts';
import { planQuery, queryClient } from '../../api/queries.ts';
import { effectiveState } from '../../live/organisation.ts';
import type { Row } from '../merge.ts';
import { type Verdict, verdict } from './verdict.ts';
import { BULK_REFUSALS, type BulkAction } from './words.ts';

/** Reads the plan, for a row does not say all; one that has ended is not asked again. */
export async function preview(action: BulkAction, row: Row): Promise<Verdict> {
  const { status } = effectiveState(row.plan_id, row.state, row.read_at);
  if (isTerminal(status)) return { row, is: 'refused', why: BULK_REFUSALS[action][status]! };
  const plan = await queryClient.fetchQuery({ ...planQuery(row.plan_id), staleTime: 0 });
  return verdict(action, row, plan);
}
