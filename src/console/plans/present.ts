import type { Plan } from '../api/types.ts';
import { type Heard, LIST_LAG_MS } from '../live/heard.ts';
import type { Row } from './merge.ts';

/** Never back: of what was heard and what was read the newer by number, unless the list is surely newer than both. */
export function present(row: Row, heard: Heard | undefined, plan: Plan | undefined, plan_read_at: number) {
  const isRead = plan !== undefined && plan.seq >= (heard?.seq ?? 0);
  const live = isRead ? { state: plan.state, at: plan_read_at } : heard && { state: heard.state, at: heard.heard_at };
  if (!live || live.at <= row.read_at - LIST_LAG_MS) return { state: row.state, isRead: false };
  return { state: live.state, isRead: plan !== undefined };
}
