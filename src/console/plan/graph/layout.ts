import { arrange, type Direction, type Point, type Size } from './arrange.ts';
import { parentOf } from './family.ts';
import { layersOf } from './layers.ts';

/** What decides where a task is drawn. */
export interface LayoutTask {
  id: string;
  needs: string[];
  handler?: string;
}
export interface LayoutRequest {
  tasks: LayoutTask[];
  /** What it is to be seen in. */
  frame: Size;
}

export interface Box extends Size {
  x: number;
  y: number;
}
export interface TaskBox extends Box {
  id: string;
  parent?: string;
  /** Others are drawn within it, below its card. */
  isContainer: boolean;
}
export interface Layout {
  direction: Direction;
  tasks: TaskBox[];
  /** Of each kind of handler. */
  groups: (Box & { handler: string })[];
  /** Lines that go around others, by `FROM>TO`: through which points. */
  ways: Record<string, Point[]>;
}

export const CARD: Size = { width: 232, height: 96 };
const INSET = 14;
const GROUP_TITLE = 30;
const GROUP_GAP = 56;

/** So few are laid out both ways, to see which is shown larger; of more that is estimated. */
const FEW = 80;

/** Where everything is: tasks of sub-plans and maps within theirs, handlers in groups after all else. */
export function layoutOf({ tasks, frame }: LayoutRequest): Layout {
  if (tasks.length > FEW) return layoutIn(estimated(tasks, frame), tasks);
  const [down, right] = (['down', 'right'] as const).map((direction) => layoutIn(direction, tasks));
  return scaleIn(frame, sizeOf(right!)) > scaleIn(frame, sizeOf(down!)) ? right! : down!;
}

function layoutIn(direction: Direction, tasks: LayoutTask[]): Layout {
  const ids = new Map(tasks.map((task) => [task.id, task]));
  const inside = groupedBy(tasks, ({ id }) => parentOf(id, ids));
  const outer = inside.get(undefined) ?? [];
  const layout: Layout = { direction, tasks: [], groups: [], ways: {} };

  /** Draws siblings from a corner on; gives how large they are together. */
  const draw = (siblings: LayoutTask[], parent: string | undefined): { size: Size; put: (at: Point) => void } => {
    const within = new Map(siblings.map(({ id }) => [id, inside.get(id)]));
    const drawn = siblings.map((task) => {
      const children = within.get(task.id);
      const body = children && draw(children, task.id);
      return { task, body, size: body ? containerOf(body.size) : CARD };
    });
    const { size, places, ways } = arrange(
      drawn.map(({ task, size }) => ({ id: task.id, needs: task.needs, size })),
      direction,
    );
    const put = ({ x, y }: Point) => {
      for (const { from, to, points } of ways)
        layout.ways[`${from}>${to}`] = points.map((point) => ({ x: x + point.x, y: y + point.y }));
      for (const { task, body, size } of drawn) {
        const place = places.get(task.id)!;
        const at = { x: x + place.x, y: y + place.y };
        layout.tasks.push({
          id: task.id,
          ...(parent !== undefined && { parent }),
          isContainer: body !== undefined,
          ...at,
          ...size,
        });
        body?.put({ x: at.x + INSET, y: at.y + CARD.height + INSET });
      }
    };
    return { size, put };
  };

  const main = draw(
    outer.filter(({ handler }) => handler === undefined),
    undefined,
  );
  main.put({ x: 0, y: 0 });
  const isDown = direction === 'down';
  // Handlers stand after all else, kind beside kind.
  let along = 0;
  const after = (isDown ? main.size.height : main.size.width) + (main.size.width > 0 ? GROUP_GAP : 0);
  for (const [handler, of] of groupedBy(outer, (task) => task.handler)) {
    if (handler === undefined) continue;
    const { size, put } = draw(of, undefined);
    const width = size.width + 2 * INSET;
    const height = size.height + INSET + GROUP_TITLE;
    const at = isDown ? { x: along, y: after } : { x: after, y: along };
    layout.groups.push({ handler, ...at, width, height });
    put({ x: at.x + INSET, y: at.y + GROUP_TITLE });
    along += (isDown ? width : height) + GROUP_GAP / 2;
  }
  return layout;
}

const containerOf = ({ width, height }: Size): Size => ({
  width: Math.max(CARD.width, width) + 2 * INSET,
  height: CARD.height + height + 2 * INSET,
});

/** Larger than life is no gain. */
const scaleIn = (frame: Size, { width, height }: Size): number =>
  Math.min(1, frame.width / Math.max(1, width), frame.height / Math.max(1, height));

const sizeOf = ({ tasks, groups }: Layout): Size => ({
  width: Math.max(0, ...[...tasks, ...groups].map(({ x, width }) => x + width)),
  height: Math.max(0, ...[...tasks, ...groups].map(({ y, height }) => y + height)),
});

function estimated(tasks: LayoutTask[], frame: Size): Direction {
  const layers = layersOf(tasks);
  const longest = layers.length;
  const widest = layers.reduce((most, { length }) => Math.max(most, length), 1);
  const down = { width: widest * (CARD.width + 28), height: longest * (CARD.height + 52) };
  const right = { width: longest * (CARD.width + 64), height: widest * (CARD.height + 28) };
  return scaleIn(frame, right) > scaleIn(frame, down) ? 'right' : 'down';
}

function groupedBy<T, K>(all: T[], keyOf: (one: T) => K): Map<K, T[]> {
  const groups = new Map<K, T[]>();
  for (const one of all) {
    const key = keyOf(one);
    const group = groups.get(key);
    if (group) group.push(one);
    else groups.set(key, [one]);
  }
  return groups;
}
