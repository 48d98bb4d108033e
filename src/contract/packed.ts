import { deflateSync, inflateSync } from 'fflate';
import { fromUint8Array, toUint8Array } from 'js-base64';

/** A large value as base64 of its deflated JSON, so that plans of thousands of tasks fit one payload. Small ones stay readable. */
export type Packed<T> = T | { packed: string };

const READABLE_BYTES = 64 * 1_024;

export function pack<T>(value: T): Packed<T> {
  const json = JSON.stringify(value);
  if (json.length <= READABLE_BYTES) return value;
  return { packed: fromUint8Array(deflateSync(new TextEncoder().encode(json), { level: 6 })) };
}

export function unpack<T extends object>(value: Packed<T>): T {
  if (!('packed' in value)) return value;
  return JSON.parse(new TextDecoder().decode(inflateSync(toUint8Array(value.packed)))) as T;
}
