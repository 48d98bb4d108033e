/** All that a history says, payloads decoded. Not by JSON.stringify, which asks messages first: they give payloads in base64. */
export function historyText(value: unknown): string {
  if (value instanceof Uint8Array) return Buffer.from(value).toString('utf8');
  if (typeof value !== 'object' || value === null) return String(value);
  return Object.entries(value)
    .map(([key, item]) => `${key}: ${historyText(item)}`)
    .join('\n');
}
