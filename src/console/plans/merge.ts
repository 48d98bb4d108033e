import type { PlanSummary } from '../api/types.ts';

/** A row as it was read: `read_at` in ms by this machine's clock, when it was asked for. */
export interface Row extends PlanSummary {
  read_at: number;
}
/** The beginning of the list, as far as it has been read. */
export interface List {
  rows: Row[];
  /** Null: these are all. */
  next_cursor: string | null;
}

/**
 * A list of which the beginning was read again. What follows stays as it was, for nobody wants to read thousands of rows for a
 * new one; so does a row that has gone from its place while it still belongs to the list: it has ended, and its new place is
 * further down, among the ended ones. Rows that do not belong to the list any more leave; in a list of certain states
 * (`byState`) that is all that has gone from its place.
 */
export function merged(
  old: List | undefined,
  fresh: List,
  { belongs, byState }: { belongs: (row: Row) => boolean; byState: boolean },
): List {
  const rows = fresh.rows.filter(belongs);
  const last = old ? lastCommon(old.rows, fresh.rows) : -1;
  // All was read; or so much is new that what was read before does not follow on it.
  if (!old || fresh.next_cursor === null || last < 0) return { ...fresh, rows };
  const read = new Map(fresh.rows.map((row) => [row.plan_id, row]));
  const kept = old.rows.filter((row, place) => !read.has(row.plan_id) && belongs(row) && !(byState && place < last));
  if (kept.length === 0) return { ...fresh, rows };
  return { rows: woven(rows, kept, old.rows), next_cursor: old.next_cursor };
}

/** The place in the old list of the last row that was read again; -1 when the end of what was read was not in it. */
function lastCommon(old: Row[], fresh: Row[]): number {
  const places = new Map(old.map(({ plan_id }, place) => [plan_id, place]));
  const last = fresh.slice(Math.floor(fresh.length / 2)).findLast(({ plan_id }) => places.has(plan_id));
  return last ? places.get(last.plan_id)! : -1;
}

/** Puts each kept row behind the row that it was behind before; a row that has gone up takes none with it. */
function woven(rows: Row[], kept: Row[], old: Row[]): Row[] {
  const isKept = new Set(kept.map(({ plan_id }) => plan_id));
  const places = new Map(rows.map(({ plan_id }, place) => [plan_id, place]));
  /** Those that come before all that was read, and then those behind each row. */
  const behind: Row[][] = [[], ...rows.map(() => [])];
  let place = -1;
  for (const row of old) {
    place = Math.max(place, places.get(row.plan_id) ?? -1);
    if (isKept.has(row.plan_id)) behind[place + 1]!.push(row);
  }
  return [...behind[0]!, ...rows.flatMap((row, at) => [row, ...behind[at + 1]!])];
}

/** A list with its next page at the end; a plan that ended meanwhile may be on two pages. */
export function extended(list: List, page: List): List {
  const newer = new Map(page.rows.map((row) => [row.plan_id, row]));
  const rows = list.rows.map((row) => newer.get(row.plan_id) ?? row);
  const known = new Set(list.rows.map(({ plan_id }) => plan_id));
  return { rows: [...rows, ...page.rows.filter(({ plan_id }) => !known.has(plan_id))], next_cursor: page.next_cursor };
}
