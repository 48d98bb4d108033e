import type { StoredValue } from '../../contract/payloads.ts';
import type { JsonObject } from '../../plan/json.ts';
import type { ReadPosition } from '../../plan/read-position.ts';

export type Row = JsonObject;

/** So many rows, as a JSON list in the artifact store; on record for the plan that stored it, and given to no other. */
export interface Chunk {
  $stored: Pick<StoredValue['$stored'], 'sha256' | 'bytes'> & { json: true };
  rows: number;
}

/** What a task of the kinds `read` and `rows` leaves: its outputs. A long list of chunks is a reference. */
export interface RowsResult {
  count: number;
  chunks: Chunk[];
  /** Of a read by pages that has more: where the next one begins. */
  next?: ReadPosition;
}
