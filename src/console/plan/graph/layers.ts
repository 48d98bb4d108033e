interface Needing {
  id: string;
  needs: string[];
}

/** Tasks by the longest way to them: in each layer what only needs those of earlier ones. */
export function layersOf<T extends Needing>(tasks: T[]): T[][] {
  const byId = new Map(tasks.map((task) => [task.id, task]));
  const depths = new Map<string, number>();
  /** Without recursion, for chains are as long as plans. */
  const depthOf = (from: T): void => {
    const way = [from];
    while (way.length > 0) {
      const task = way.at(-1)!;
      const needs = task.needs.filter((id) => byId.has(id) && id !== task.id);
      const open = depths.has(task.id) ? undefined : needs.find((id) => !depths.has(id));
      // A plan has no circles; what claims to be one ends here all the same.
      if (open !== undefined && way.length <= tasks.length) {
        way.push(byId.get(open)!);
        continue;
      }
      if (!depths.has(task.id)) depths.set(task.id, Math.max(-1, ...needs.map((id) => depths.get(id) ?? -1)) + 1);
      way.pop();
    }
  };
  for (const task of tasks) depthOf(task);
  const layers: T[][] = [];
  for (const task of tasks) {
    const depth = depths.get(task.id)!;
    layers[depth] ??= [];
    layers[depth].push(task);
  }
  return layers;
}
