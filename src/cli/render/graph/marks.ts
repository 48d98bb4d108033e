import type { Colors } from 'picocolors/types.js';
import type { TaskStatus } from '../../../plan/state.ts';
import type { PlanGraph } from '../../../service/plan-graph/graph.ts';
import { coloured } from '../colours.ts';

/** Where a task stands, in one character. */
export const MARKS: Record<TaskStatus, string> = {
  pending: '○',
  running: '●',
  waiting: '◔',
  backing_off: '↻',
  succeeded: '✓',
  failed: '✗',
  skipped: '–',
  cancelled: '■',
};

/** What the marks of a drawing stand for, with how many tasks have each; nothing for a plan that does not run. */
export function legend({ nodes }: PlanGraph, colours: Colors): string[] {
  const counts = new Map<TaskStatus, number>();
  for (const { status } of nodes) if (status) counts.set(status, (counts.get(status) ?? 0) + 1);
  const words = Object.entries(MARKS).flatMap(([status, mark]) => {
    const count = counts.get(status as TaskStatus);
    return count ? [coloured(status as TaskStatus, colours, `${mark} ${count} ${status}`)] : [];
  });
  return words.length > 0 ? ['', words.join('   ')] : [];
}
