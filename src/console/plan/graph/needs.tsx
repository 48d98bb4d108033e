import { ViewportPortal } from '@xyflow/react';
import { memo, useMemo } from 'react';
import type { Task } from '../../api/types.ts';
import type { Point } from './arrange.ts';
import { useGraph } from './graph-context.ts';
import { useAllKeyed } from './keyed.ts';
import { type Box, CARD, type Layout, type LayoutTask } from './layout.ts';

const LOOKS = ['open', 'over', 'done', 'active'] as const;
type Look = (typeof LOOKS)[number];
const ACTIVE: readonly Task['status'][] = ['running', 'waiting', 'backing_off'];
const OVER: readonly Task['status'][] = ['failed', 'skipped', 'cancelled'];

/** The needs of a plan's tasks; how far both are is seen. */
export const Needs = memo(function Needs({ layout }: { layout: Layout }) {
  const { store } = useGraph();
  const shown = useAllKeyed(store.tasks);
  const tasks = useMemo(() => Array.from(shown.values(), ({ task }) => task), [shown]);
  return <NeedLines layout={layout} tasks={tasks} lookOf={lookOf} />;
});

interface NeedLinesProps<T> {
  layout: Layout;
  tasks: readonly T[];
  lookOf: (from: T, to: T) => Look;
}

/**
 * Lines from what is needed to what needs it. They are a few paths in all, one of each look: thousands of lines cost no more
 * than a few. Who hears the page instead of seeing it has the table of tasks, which names the needs.
 */
export function NeedLines<T extends LayoutTask>({ layout, tasks, lookOf }: NeedLinesProps<T>) {
  const boxes = useMemo(() => new Map(layout.tasks.map((box) => [box.id, box])), [layout]);
  const byId = new Map(tasks.map((task) => [task.id, task]));
  const outer = pathsOfLooks();
  const inner = pathsOfLooks();
  for (const task of tasks) {
    const to = boxes.get(task.id);
    if (!to) continue;
    for (const need of task.needs) {
      const from = boxes.get(need);
      const of = byId.get(need);
      if (!from || !of) continue;
      const { line, head } = drawn(layout.direction, from, to, layout.ways[`${need}>${task.id}`]);
      const paths = (to.parent === undefined ? outer : inner)[lookOf(of, task)];
      paths.lines += line;
      paths.heads += head;
    }
  }
  return (
    <ViewportPortal>
      <Lines paths={outer} />
      <Lines paths={inner} isInner />
    </ViewportPortal>
  );
}

type Paths = Record<Look, { lines: string; heads: string }>;
const pathsOfLooks = (): Paths => ({
  open: { lines: '', heads: '' },
  over: { lines: '', heads: '' },
  done: { lines: '', heads: '' },
  active: { lines: '', heads: '' },
});

/** Lines within a task that holds others lie upon it, all others beneath. */
function Lines({ paths, isInner }: { paths: Paths; isInner?: true }) {
  return (
    <svg className="needs" data-inner={isInner} aria-hidden="true" width={1} height={1}>
      {LOOKS.map((look) => (
        <g key={look} data-look={look}>
          <path className="needs-line" d={paths[look].lines} />
          <path className="needs-head" d={paths[look].heads} />
        </g>
      ))}
    </svg>
  );
}

function lookOf(from: Task, to: Task): Look {
  if (ACTIVE.includes(to.status)) return 'active';
  if (from.status === 'succeeded') return 'done';
  return OVER.includes(from.status) ? 'over' : 'open';
}

const HEAD = 6;
function drawn(direction: Layout['direction'], from: Box, to: Box, way: Point[] = []) {
  const isDown = direction === 'down';
  const start = isDown
    ? { x: from.x + from.width / 2, y: from.y + from.height }
    : { x: from.x + from.width, y: from.y + Math.min(from.height, CARD.height) / 2 };
  const end = isDown
    ? { x: to.x + to.width / 2, y: to.y }
    : { x: to.x, y: to.y + Math.min(to.height, CARD.height) / 2 };
  const { x, y } = end;
  const tip = isDown ? { x, y: y - HEAD } : { x: x - HEAD, y };
  let line = `M${start.x} ${start.y}`;
  let at = start;
  for (const next of [...way, tip]) {
    // It leaves and arrives along the direction in which the graph grows.
    const bend = isDown ? (next.y - at.y) / 2 : (next.x - at.x) / 2;
    line += isDown
      ? `C${at.x} ${at.y + bend} ${next.x} ${next.y - bend} ${next.x} ${next.y}`
      : `C${at.x + bend} ${at.y} ${next.x - bend} ${next.y} ${next.x} ${next.y}`;
    at = next;
  }
  const head = isDown
    ? `M${x} ${y}l${-HEAD} ${-HEAD * 1.5}h${HEAD * 2}z`
    : `M${x} ${y}l${-HEAD * 1.5} ${-HEAD}v${HEAD * 2}z`;
  return { line, head };
}
