import { allows } from '../../../plan/lifecycle.ts';
import type { Plan } from '../../api/types.ts';
import type { Row } from '../merge.ts';
import { BULK_REFUSALS, type BulkAction } from './words.ts';

/** What a command would do to one plan: at once, once what runs has ended, or nothing, and why. */
export type Verdict =
  | { row: Row; is: 'ready' | 'later' }
  | { row: Row; is: 'refused'; why: string }
  | { row: Row; is: 'unread'; why: string };

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
