/** What went wrong, on one line and never with a stack: for lists of things tried. */
export function oneLine(thrown: unknown): string {
  const text = reasonOf(thrown).replace(/\s+/g, ' ').trim();
  return text.length > 300 ? `${text.slice(0, 300)}…` : text;
}

function reasonOf(thrown: unknown): string {
  if (!(thrown instanceof Error)) return String(thrown);
  // `fetch` says only "fetch failed"; a refused connection to a name with two addresses has its message in the parts.
  if (thrown.cause instanceof Error) return reasonOf(thrown.cause);
  if (thrown instanceof AggregateError && !thrown.message) return thrown.errors.map(reasonOf).join('; ');
  return thrown.message || thrown.name;
}
