import type { Snapshot } from '../service/execute/snapshot.ts';
import { rowsUri } from './uris.ts';

/** A snapshot as JSON, with as many of its rows as there is room for, one at least, and where to read on. */
export function snapshotText(snapshot: Snapshot, of: string | undefined, mostBytes: number): string {
  const { rows: all, next_offset, ...told } = snapshot;
  const { plan_id, offset, kept, phase } = told;
  let room = mostBytes;
  const fitting = all.findIndex((row) => {
    room -= Buffer.byteLength(JSON.stringify(row)) + 1;
    return room < 0;
  });
  const rows = fitting === -1 ? all : all.slice(0, Math.max(1, fitting));
  const after = rows.length < all.length ? offset + rows.length : next_offset;
  const next = after === null ? null : rowsUri(plan_id, { offset: after, of });
  const word = `rows ${rows.length === 0 ? 'none' : `${offset + 1} to ${offset + rows.length}`} of ${kept}`;
  const on = next === null ? '' : `; read on at ${next}`;
  const more = phase === 'running' ? '; more may come: it runs' : '';
  return JSON.stringify({ ...told, note: `${word}${on}${more}`, next, rows });
}
