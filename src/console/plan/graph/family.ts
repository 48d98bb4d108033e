/** The last part of a path such as `each[3]/x`: a task of a sub-plan, or an item of a map. */
const LAST_PART = /(\/[^/[\]]+|\[\d+\])$/;

/** The nearest of the tasks that are shown in which `id` runs: `each[3]` or `each` for `each[3]/x`. */
export function parentOf(id: string, shown: { has(id: string): boolean }): string | undefined {
  let outer = id.replace(LAST_PART, '');
  for (let inner = id; outer !== inner; inner = outer, outer = inner.replace(LAST_PART, ''))
    if (shown.has(outer)) return outer;
  return undefined;
}

/** A task's name within its parent: `/push` of `build/push`. */
export const nameWithin = (id: string, parent: string | undefined): string =>
  parent === undefined ? id : id.slice(parent.length).replace(/^\//, '');
