/** Over 2 MB Temporal refuses a payload, or ends the plan for it; every payload stays well below. */
export const PAYLOAD_LIMIT_BYTES = 1_000_000;

export class PayloadTooLarge extends Error {
  override readonly name = 'PayloadTooLarge';
  readonly bytes: number;

  constructor(what: string, bytes: number) {
    super(`${what} is ${bytes} bytes as JSON; at most ${PAYLOAD_LIMIT_BYTES} can be sent`);
    this.bytes = bytes;
  }
}

/** The one check before anything is sent over the workflow boundary; gives the value back. */
export function payload<T>(what: string, value: T): T {
  const json = JSON.stringify(value) ?? '';
  // No character of it takes more than three bytes.
  if (json.length * 3 <= PAYLOAD_LIMIT_BYTES) return value;
  const bytes = new TextEncoder().encode(json).length;
  if (bytes > PAYLOAD_LIMIT_BYTES) throw new PayloadTooLarge(what, bytes);
  return value;
}
