/** Indexes of tasks in an order in which each comes after all that it needs. There are no cycles. */
export function upstreamFirst(tasks: readonly { needs: readonly number[] }[]): number[] {
  const unmet = tasks.map(({ needs }) => needs.length);
  const dependents = tasks.map((): number[] => []);
  for (const [i, { needs }] of tasks.entries()) for (const need of needs) dependents[need]!.push(i);
  const order = tasks.flatMap((_, i) => (unmet[i] === 0 ? [i] : []));
  for (let k = 0; k < order.length; k++)
    for (const dependent of dependents[order[k]!]!) {
      unmet[dependent]! -= 1;
      if (unmet[dependent] === 0) order.push(dependent);
    }
  return order;
}
