import type { Colors } from 'picocolors/types.js';
import type { TaskStatus } from '../../../plan/state.ts';
import { type GraphNode, kindInWords } from '../../../service/plan-graph/graph.ts';
import { STATE_COLOURS } from '../colours.ts';
import { Canvas, type Paint } from './canvas.ts';
import { MARKS } from './marks.ts';

/** Corners from the upper left on, then level and upright: what waits for people has double sides. */
const SIDES = {
  task: '┌┐┘└─│',
  question: '╔╗╝╚═║',
  group: '╭╮╯╰─│',
  handler: '┌┐┘└╌╎',
} as const;

/** A task in a box of one line: where it stands, what it is called, and what it does. */
export function boxOf(node: GraphNode, colours: Colors): Canvas {
  const { label, status, items } = node;
  const name = status ? `${MARKS[status]} ${label}` : label;
  const done = items ? ` ${items.succeeded}/${items.total}` : '';
  const kind = `${kindInWords(node)}${done}${node.if === undefined ? '' : ', if …'}`;
  const inside = new Canvas();
  const paint = paintOf(status, colours);
  inside.text(0, 0, name, (text) => colours.bold(paint(text)));
  inside.text([...name].length + 2, 0, kind, colours.dim);
  return boxAround(inside, node.mode === 'question' ? 'question' : 'task', paint);
}

/** A box around a drawing, with a title in its upper side. */
export function frameOf(
  inside: Canvas,
  title: string,
  sides: keyof typeof SIDES,
  colours: Colors,
  status?: TaskStatus,
): Canvas {
  const paint = status ? paintOf(status, colours) : sides === 'handler' ? colours.dim : colours.reset;
  const told = ` ${status ? `${MARKS[status]} ` : ''}${title} `;
  const frame = boxAround(inside, sides, paint, told.length + 2);
  frame.text(2, 0, told, paint);
  return frame;
}

function boxAround(inside: Canvas, sides: keyof typeof SIDES, paint: Paint, least = 0): Canvas {
  const [upperLeft, upperRight, lowerRight, lowerLeft, level, upright] = SIDES[sides];
  const wanted = Math.max(inside.width + 2, least);
  // Boxes in a column have their middle in one column, so every width is odd.
  const width = wanted + ((wanted + 1) % 2);
  const box = new Canvas();
  box.text(0, 0, upperLeft + level!.repeat(width) + upperRight, paint);
  for (let row = 1; row <= inside.height; row++) {
    box.text(0, row, upright! + ' '.repeat(width) + upright, paint);
  }
  box.text(0, inside.height + 1, lowerLeft + level!.repeat(width) + lowerRight, paint);
  box.place(1 + Math.floor((width - inside.width) / 2), 1, inside);
  return box;
}

const paintOf = (status: TaskStatus | undefined, colours: Colors): Paint =>
  status ? colours[STATE_COLOURS[status]] : colours.reset;
