import { createHash } from 'node:crypto';
import { Fault } from '../faults.ts';

/** Where a list goes on: a mark of which list it is, by its organisation and filters, and Temporal's own token. */
export function cursorOf(list: string, token: Uint8Array): string {
  return Buffer.concat([markOf(list), token]).toString('base64url');
}

/** Temporal's token in a cursor. Throws REQUEST_INVALID for what no list gave, or one with other filters. */
export function tokenIn(cursor: string, list: string): Uint8Array {
  const bytes = Buffer.from(cursor, 'base64url');
  if (bytes.length <= MARK_BYTES || bytes.toString('base64url') !== cursor || bytes[0] !== VERSION)
    throw new Fault('REQUEST_INVALID', 'cursor: not one that a list gave');
  if (!bytes.subarray(0, MARK_BYTES).equals(markOf(list)))
    throw new Fault(
      'REQUEST_INVALID',
      'cursor: it belongs to a list with other filters; give the same ones, or begin without a cursor',
    );
  return bytes.subarray(MARK_BYTES);
}

const VERSION = 1;
const MARK_BYTES = 9;
const markOf = (list: string): Buffer =>
  Buffer.concat([
    Buffer.from([VERSION]),
    createHash('sha256')
      .update(list)
      .digest()
      .subarray(0, MARK_BYTES - 1),
  ]);
