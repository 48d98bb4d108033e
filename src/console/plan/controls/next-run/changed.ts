/** The values that are others than before; undefined when none is. What was emptied has no value to send. */
export function changedOf(
  values: Record<string, unknown>,
  before: Record<string, unknown>,
): Record<string, unknown> | undefined {
  const changed = Object.entries(values).filter(
    ([name, value]) => JSON.stringify(value) !== JSON.stringify(before[name]),
  );
  return changed.length === 0 ? undefined : Object.fromEntries(changed);
}
