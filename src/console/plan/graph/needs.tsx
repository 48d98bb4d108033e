import { ViewportPortal } from '@xyflow/react';
import { memo, useMemo } from 'react';
import type { Task } from '../../api/types.ts';
import { useGraph } from './graph-context.ts';
import { useAllKeyed } from './keyed.ts';
import { type Box, CARD, type Layout } from './layout.ts';

const LOOKS = ['open', 'done', 'active'] as const;
type Look = (typeof LOOKS)[number];
const ACTIVE: readonly Task['status'][] = ['running', 'waiting', 'backing_off'];

/**
 * Lines from what is needed to what needs it. They are three paths in all, one of each look: thousands of lines cost no more
 * than a few. Who hears the page instead of seeing it has the table of tasks, which names the needs.
 */
export const Needs = memo(function Needs({ layout: { tasks, direction } }: { layout: Layout }) {
  const { store } = useGraph();
  const shown = useAllKeyed(store.tasks);
  const boxes = useMemo(() => new Map(tasks.map((box) => [box.id, box])), [tasks]);
  const lines: Record<Look, string[]> = { open: [], done: [], active: [] };
  const heads: Record<Look, string[]> = { open: [], done: [], active: [] };
  for (const { task } of shown.values()) {
    const to = boxes.get(task.id);
    if (!to) continue;
    for (const need of task.needs) {
      const from = boxes.get(need);
      const of = shown.get(need);
      if (!from || !of) continue;
      const look = lookOf(of.task, task);
      const [line, head] = DRAW[direction](from, to);
      lines[look].push(line);
      heads[look].push(head);
    }
  }
  return (
    <ViewportPortal>
      <svg className="needs" aria-hidden="true" width={1} height={1}>
        {LOOKS.map((look) => (
          <g key={look} data-look={look}>
            <path className="needs-line" d={lines[look].join('')} />
            <path className="needs-head" d={heads[look].join('')} />
          </g>
        ))}
      </svg>
    </ViewportPortal>
  );
});

function lookOf(from: Task, to: Task): Look {
  if (ACTIVE.includes(to.status)) return 'active';
  return ['succeeded', 'failed', 'skipped', 'cancelled'].includes(from.status) ? 'done' : 'open';
}

const HEAD = 6;
const DRAW: Record<Layout['direction'], (from: Box, to: Box) => [line: string, head: string]> = {
  down: (from, to) => {
    const [x1, y1] = [from.x + from.width / 2, from.y + from.height];
    const [x2, y2] = [to.x + to.width / 2, to.y];
    const bend = Math.max(24, (y2 - y1) / 2);
    return [
      `M${x1} ${y1}C${x1} ${y1 + bend} ${x2} ${y2 - bend} ${x2} ${y2 - HEAD}`,
      `M${x2} ${y2}l${-HEAD} ${-HEAD * 1.5}h${HEAD * 2}z`,
    ];
  },
  right: (from, to) => {
    const [x1, y1] = [from.x + from.width, from.y + Math.min(from.height, CARD.height) / 2];
    const [x2, y2] = [to.x, to.y + Math.min(to.height, CARD.height) / 2];
    const bend = Math.max(24, (x2 - x1) / 2);
    return [
      `M${x1} ${y1}C${x1 + bend} ${y1} ${x2 - bend} ${y2} ${x2 - HEAD} ${y2}`,
      `M${x2} ${y2}l${-HEAD * 1.5} ${-HEAD}v${HEAD * 2}z`,
    ];
  },
};
