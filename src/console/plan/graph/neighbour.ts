import { CARD, type TaskBox } from './layout.ts';

export type Arrow = 'up' | 'down' | 'left' | 'right';

const WAYS: Record<Arrow, (dx: number, dy: number) => [ahead: number, aside: number]> = {
  up: (dx, dy) => [-dy, Math.abs(dx)],
  down: (dx, dy) => [dy, Math.abs(dx)],
  left: (dx, dy) => [-dx, Math.abs(dy)],
  right: (dx, dy) => [dx, Math.abs(dy)],
};
/** What is straight ahead is nearer than what is as far but aside. */
const ASIDE_COUNTS = 2.5;

/** The next task from one in a direction, as the drawing has them. */
export function neighbour(boxes: TaskBox[], id: string, arrow: Arrow): string | undefined {
  const from = boxes.find((box) => box.id === id);
  if (!from) return undefined;
  const [x, y] = middleOf(from);
  let best: { id: string; far: number } | undefined;
  for (const box of boxes) {
    const [to_x, to_y] = middleOf(box);
    const [ahead, aside] = WAYS[arrow](to_x - x, to_y - y);
    if (ahead < 1 || aside > 4 * ahead) continue;
    const far = ahead + ASIDE_COUNTS * aside;
    if (!best || far < best.far) best = { id: box.id, far };
  }
  return best?.id;
}

/** Of its card, which in a task that holds others is at the top. */
const middleOf = ({ x, y, width }: TaskBox): [number, number] => [x + width / 2, y + CARD.height / 2];
