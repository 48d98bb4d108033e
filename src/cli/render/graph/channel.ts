import { type Canvas, DOWN, LEFT, RIGHT, UP } from './canvas.ts';

/** Lines from one place of the row above to places of the row below, by their columns. */
export interface Net {
  id: string;
  from: number;
  to: { column: number; arrow: boolean }[];
}

/** How many rows the lines between two rows of boxes take. */
export function channelHeight(nets: Net[]): number {
  const tracks = tracksOf(nets);
  return nets.length === 0 ? 0 : 1 + Math.max(0, ...tracks.values());
}

/** Draws them from the row `y` down: each net along a row of its own, or straight down. */
export function drawChannel(canvas: Canvas, nets: Net[], y: number): void {
  const tracks = tracksOf(nets);
  const last = y + channelHeight(nets) - 1;
  for (const net of nets) {
    const track = y + (tracks.get(net.id) ?? 0) - 1;
    const turns = tracks.has(net.id);
    if (turns) {
      upright(canvas, net.from, y, track, net.id);
      level(canvas, net, track);
    }
    for (const { column, arrow } of net.to) {
      if (turns) canvas.line(column, track, DOWN, net.id);
      for (let row = turns ? track + 1 : y; row <= last; row++)
        if (row === last && arrow) canvas.text(column, row, '▼');
        else canvas.line(column, row, UP | DOWN, net.id);
    }
  }
}

function upright(canvas: Canvas, column: number, from: number, to: number, net: string): void {
  for (let row = from; row < to; row++) canvas.line(column, row, UP | DOWN, net);
  canvas.line(column, to, UP, net);
}

function level(canvas: Canvas, net: Net, row: number): void {
  const [left, right] = spanOf(net);
  for (let column = left; column <= right; column++)
    canvas.line(column, row, (column > left ? LEFT : 0) | (column < right ? RIGHT : 0), net.id);
}

const spanOf = ({ from, to }: Net): [number, number] => {
  const columns = [from, ...to.map(({ column }) => column)];
  return [Math.min(...columns), Math.max(...columns)];
};

/** Nets that run along one row: one with several ends, or all that have the same single end. */
interface Bundle {
  nets: Net[];
  from: number[];
  to: number[];
}

function bundlesOf(nets: Net[]): Bundle[] {
  const bundles = new Map<string, Bundle>();
  for (const net of nets) {
    const to = net.to.map(({ column }) => column);
    const key = to.length === 1 ? `to ${to[0]}` : `from ${net.from}`;
    const { nets: others, from } = bundles.get(key) ?? { nets: [], from: [] };
    bundles.set(key, { nets: [...others, net], from: [...from, net.from], to });
  }
  return [...bundles.values()];
}

/**
 * The row, from 1, along which each net runs that does not go straight down. Bundles that would touch have different rows;
 * and one that begins above where another ends turns first, or the two would share a column.
 */
function tracksOf(nets: Net[]): Map<string, number> {
  const left = new Set(bundlesOf(nets.filter((net) => spanOf(net)[0] < spanOf(net)[1])));
  const rows = new Map<Bundle, number>();
  const waits = (bundle: Bundle) =>
    [...left].some((other) => other !== bundle && bundle.to.some((column) => other.from.includes(column)));
  while (left.size > 0) {
    // Bundles that wait for each other in a circle share a column after all.
    const next = [...left].find((bundle) => !waits(bundle)) ?? [...left][0]!;
    left.delete(next);
    const above = [...rows].filter(([other]) => touch(other, next)).map(([, row]) => row);
    rows.set(next, 1 + Math.max(0, ...above));
  }
  return new Map([...rows].flatMap(([bundle, row]) => bundle.nets.map(({ id }) => [id, row] as const)));
}

function touch(one: Bundle, other: Bundle): boolean {
  const [left, right] = extent(one);
  const [otherLeft, otherRight] = extent(other);
  return left <= otherRight + 1 && otherLeft <= right + 1;
}

const extent = ({ from, to }: Bundle): [number, number] => [Math.min(...from, ...to), Math.max(...from, ...to)];
