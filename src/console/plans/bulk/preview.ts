import { allows, isTerminal } from '../../../plan/lifecycle.ts';
import { planQuery, queryClient } from '../../api/queries.ts';
import type { Plan } from '../../api/types.ts';
import { effectiveState } from '../../live/organisation.ts';
import type { Row } from '../merge.ts';
import { BULK_REFUSALS, type BulkAction } from './words.ts';

/** What a command would do to one plan: at once, once what runs has ended, or nothing, and why. */
export type Verdict =
  | { row: Row; is: 'ready' | 'later' }
  | { row: Row; is: 'refused'; why: string }
  | { row: Row; is: 'unread'; why: string };

/** Reads the plan, for a row does not say all; one that has ended is not asked again. */
export async function preview(action: BulkAction, row: Row): Promise<Verdict> {
  const { status } = effectiveState(row.plan_id, row.state, row.read_at);
  if (isTerminal(status)) return { row, is: 'refused', why: BULK_REFUSALS[action][status]! };
  const plan = await queryClient.fetchQuery({ ...planQuery(row.plan_id), staleTime: 0 });
  return verdict(action, row, plan);
}

export function verdict(action: BulkAction, row: Row, plan: Plan): Verdict {
  const { state, pausing, stopping, allowed_actions } = plan;
  const situation = { status: state.status, pausing, stopping };
  if (allowed_actions.includes(action) && allows(action, situation))
    return { row, is: action === 'pause' && state.status === 'executing' ? 'later' : 'ready' };
  const standing = stopping ? 'stopping' : pausing ? 'pausing' : state.status;
  return { row, is: 'refused', why: BULK_REFUSALS[action][standing] ?? state.status };
}

/** Plans that are refused or could not be read, by why. */
export function byReason(verdicts: Verdict[]): [why: string, rows: Row[]][] {
  const reasons = new Map<string, Row[]>();
  for (const each of verdicts) if ('why' in each) reasons.set(each.why, [...(reasons.get(each.why) ?? []), each.row]);
  return [...reasons];
}
