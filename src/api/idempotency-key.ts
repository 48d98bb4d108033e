import type { Request } from 'express';
import { Fault } from '../faults.ts';

const LONGEST = 200;

/** The `Idempotency-Key` header; undefined when there is none. Throws REQUEST_INVALID for one that could be read in two ways. */
export function idempotencyKey(request: Request): string | undefined {
  const key = request.get('idempotency-key');
  if (key === undefined) return undefined;
  if (/^[\x21-\x7e]+$/.test(key) && key.length <= LONGEST) return key;
  const what = key === '' ? 'is empty' : key.length > LONGEST ? `has ${key.length} characters` : 'has others';
  throw new Fault('REQUEST_INVALID', `Idempotency-Key: give 1 to ${LONGEST} printable ASCII characters; it ${what}`);
}
