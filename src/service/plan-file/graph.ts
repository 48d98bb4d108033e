/** Graphs as lists: `needs[i]` are the tasks that task i needs. Nothing here recurses: a chain may be ten thousand long. */
export type Needs = readonly (readonly number[])[];

/** Groups of tasks that need each other, single ones included, each after all the groups it needs (Tarjan). */
export function groups(needs: Needs): number[][] {
  const order = new Int32Array(needs.length).fill(-1);
  const low = new Int32Array(needs.length);
  const open = new Uint8Array(needs.length);
  const waiting: number[] = [];
  const found: number[][] = [];
  let count = 0;
  for (let root = 0; root < needs.length; root++) {
    const path: { task: number; next: number }[] = [];
    const enter = (task: number) => {
      order[task] = low[task] = count++;
      open[task] = 1;
      waiting.push(task);
      path.push({ task, next: 0 });
    };
    if (order[root] === -1) enter(root);
    while (path.length > 0) {
      const at = path.at(-1)!;
      const need = needs[at.task]![at.next++];
      if (need !== undefined) {
        if (order[need] === -1) enter(need);
        else if (open[need]) low[at.task] = Math.min(low[at.task]!, order[need]!);
        continue;
      }
      path.pop();
      const above = path.at(-1);
      if (above) low[above.task] = Math.min(low[above.task]!, low[at.task]!);
      if (low[at.task] !== order[at.task]) continue;
      const group = waiting.splice(waiting.lastIndexOf(at.task));
      for (const member of group) open[member] = 0;
      found.push(group.sort((a, b) => a - b));
    }
  }
  return found;
}

/** The shortest way from a group's first task back to itself. */
export function shortestCycle(group: number[], needs: Needs): number[] {
  const start = group[0]!;
  const inside = new Set(group);
  const cameFrom = new Map<number, number>();
  for (let queue = [start]; queue.length > 0; ) {
    const next: number[] = [];
    for (const task of queue) {
      for (const need of needs[task]!) {
        if (need === start) return [...wayTo(task, start, cameFrom), start];
        if (!inside.has(need) || cameFrom.has(need)) continue;
        cameFrom.set(need, task);
        next.push(need);
      }
    }
    queue = next;
  }
  return [start];
}

function wayTo(task: number, start: number, cameFrom: Map<number, number>): number[] {
  const way = [task];
  for (let at = task; at !== start; way.push(at)) at = cameFrom.get(at)!;
  return way.reverse();
}

/**
 * Whether a task has another among all that it needs, directly or not; undefined in and after a cycle. Made as one bit
 * per pair at the first question that `needs` itself does not answer: 12 MB for ten thousand tasks.
 */
export function ancestry(needs: Needs, order: number[][]): (task: number, other: number) => boolean | undefined {
  let sets: (Uint32Array | undefined)[] | undefined;
  return (task, other) => {
    if (needs[task]!.includes(other)) return true;
    sets ??= ancestorSets(needs, order);
    const set = sets[task];
    return set && (set[other >>> 5]! & (1 << (other & 31))) !== 0;
  };
}

function ancestorSets(needs: Needs, order: number[][]): (Uint32Array | undefined)[] {
  const sets = new Array<Uint32Array | undefined>(needs.length);
  for (const group of order) {
    const [task] = group as [number];
    if (group.length > 1 || needs[task]!.some((need) => !sets[need])) continue;
    const set = new Uint32Array(Math.ceil(needs.length / 32));
    for (const need of needs[task]!) {
      const above = sets[need]!;
      for (let word = 0; word < set.length; word++) set[word]! |= above[word]!;
      set[need >>> 5]! |= 1 << (need & 31);
    }
    sets[task] = set;
  }
  return sets;
}
