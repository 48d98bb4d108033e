import type { Colors } from 'picocolors/types.js';
import { formatDuration } from '../../plan/duration.ts';
import type { PlanSummary } from '../../service/list-plans.ts';
import { coloured } from './colours.ts';
import { renderTable } from './table.ts';
import { localTime, oneLine } from './text.ts';

/** A table of plans; nothing when there are none. */
export function planListLines(plans: PlanSummary[], colours: Colors): string[] {
  if (plans.length === 0) return [];
  const rows = plans.map(({ plan_id, name, state, created_at, ended_at }) => [
    plan_id,
    oneLine(name, 60),
    coloured(state.status, colours),
    localTime(created_at),
    ended_at === null ? '' : formatDuration(Date.parse(ended_at) - Date.parse(created_at)),
  ]);
  return renderTable(['PLAN', 'NAME', 'STATE', 'CREATED', 'TOOK'], rows);
}
