import { createHash } from 'node:crypto';
import { Fault } from '../faults.ts';

/**
 * Where a list goes on: a mark of which list it is, by its organisation and filters, a mark of Temporal's own token, and that
 * token. Temporal would try a token that is cut or changed for long, or take it for another page.
 */
export function cursorOf(list: string, token: Uint8Array): string {
  return Buffer.concat([markOf(list), checkOf(list, token), token]).toString('base64url');
}

/** Temporal's token in a cursor. Throws REQUEST_INVALID for what no list gave, or one with other filters. */
export function tokenIn(cursor: string, list: string): Uint8Array {
  const bytes = Buffer.from(cursor, 'base64url');
  if (bytes.length <= TOKEN_AT || bytes.toString('base64url') !== cursor || bytes[0] !== VERSION) throw notGiven();
  if (!bytes.subarray(0, MARK_BYTES).equals(markOf(list)))
    throw new Fault(
      'REQUEST_INVALID',
      'cursor: it belongs to a list with other filters; give the same ones, or begin without a cursor',
    );
  const token = bytes.subarray(TOKEN_AT);
  if (!bytes.subarray(MARK_BYTES, TOKEN_AT).equals(checkOf(list, token))) throw notGiven();
  return token;
}

const notGiven = () => new Fault('REQUEST_INVALID', 'cursor: not one that a list gave');

const VERSION = 2;
const MARK_BYTES = 9;
const CHECK_BYTES = 8;
const TOKEN_AT = MARK_BYTES + CHECK_BYTES;

const hash = (...parts: (string | Uint8Array)[]): Buffer =>
  parts.reduce((all, part) => all.update(part), createHash('sha256')).digest();
const markOf = (list: string): Buffer =>
  Buffer.concat([Buffer.from([VERSION]), hash(list).subarray(0, MARK_BYTES - 1)]);
const checkOf = (list: string, token: Uint8Array): Buffer => hash(list, '\0', token).subarray(0, CHECK_BYTES);
