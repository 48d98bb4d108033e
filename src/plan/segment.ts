import type { Child } from './child.ts';
import { type Plan, taskAt } from './plan.ts';

/** Tasks in one segment at most: few enough for one history, and for those that wait for it from outside. */
const MOST_TASKS = 200;

/** Cuts a segment out of what is ready and what follows from it; the tasks in it are its own until it ends. */
export function cutSegment(plan: Plan, slots: number): Child | undefined {
  const { index } = plan;
  const inside = new Set<number>();
  const queue = index.ready.filter((i) => mayBeInside(plan, i)).slice(0, MOST_TASKS);
  for (const i of queue) {
    if (inside.size >= MOST_TASKS) break;
    inside.add(i);
    // Whoever waits outside for this task is not to wait for what comes after it, too.
    const dependents = index.dependents[i]!;
    if (!dependents.every((j) => mayBeInside(plan, j) && neededWithin(plan, j, inside))) continue;
    queue.push(...dependents);
  }
  if (inside.size === 0) return undefined;
  index.ready = index.ready.filter((i) => !inside.has(i));
  const tasks = [...inside].sort((a, b) => a - b);
  index.segments += 1;
  const child: Child = { key: `segment-${index.segments}`, what: { kind: 'segment', tasks }, slots };
  index.children.set(child.key, child);
  return child;
}

/** Activities and values only: what asks or waits costs few events, and is better seen where it is. */
export function mayBeInside(plan: Plan, i: number): boolean {
  const { task, at } = taskAt(plan, i);
  const kind = task.mode === 'activity' || task.mode === 'value';
  return kind && at.status === 'pending' && !at.hold && task.on_failure !== 'hold' && !task.handler;
}

const neededWithin = (plan: Plan, i: number, inside: Set<number>): boolean =>
  plan.definition.tasks[i]!.needs.every((need) => inside.has(need) || plan.state.tasks[need]!.ended_at !== undefined);
