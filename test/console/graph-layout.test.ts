import { expect, test } from 'vitest';
import { nameWithin, parentOf } from '../../src/console/plan/graph/family.ts';
import { layersOf } from '../../src/console/plan/graph/layers.ts';
import { type Box, type Layout, type LayoutTask, layoutOf } from '../../src/console/plan/graph/layout.ts';
import { neighbour } from '../../src/console/plan/graph/neighbour.ts';

const frame = { width: 1200, height: 700 };
const task = (id: string, ...needs: string[]): LayoutTask => ({ id, needs });
const boxIn = ({ tasks }: Layout, id: string) => tasks.find((box) => box.id === id)!;
const overlap = (a: Box, b: Box) =>
  a.x < b.x + b.width && b.x < a.x + a.width && a.y < b.y + b.height && b.y < a.y + a.height;
const isWithin = (a: Box, b: Box) =>
  a.x >= b.x && a.y >= b.y && a.x + a.width <= b.x + b.width && a.y + a.height <= b.y + b.height;

test.each([
  ['build/push', ['build'], 'build', 'push'],
  ['each[3]', ['each'], 'each', '[3]'],
  ['each[3]/x', ['each', 'each[3]'], 'each[3]', 'x'],
  ['each[3]/x', ['each'], 'each', '[3]/x'],
  ['a/b[0]/c', ['a'], 'a', 'b[0]/c'],
  ['build', ['build', 'b'], undefined, 'build'],
])('%s among %j is within %s, as %s', (id, shown, parent, name) => {
  expect(parentOf(id, new Set(shown))).toBe(parent);
  expect(nameWithin(id, parent)).toBe(name);
});

test('layers hold what needs only earlier ones, also in a chain of ten thousand', () => {
  expect(layersOf([task('c', 'b', 'a'), task('a'), task('b', 'a')]).map((layer) => layer.map(({ id }) => id))).toEqual([
    ['a'],
    ['b'],
    ['c'],
  ]);
  const chain = Array.from({ length: 10_000 }, (_, n) => task(`${n}`, ...(n < 9_999 ? [`${n + 1}`] : [])));
  expect(layersOf(chain)).toHaveLength(10_000);
});

const MIXED = [
  task('fetch'),
  task('build', 'fetch'),
  task('build/compile'),
  task('build/push', 'build/compile'),
  task('ship', 'build', 'fetch'),
  { ...task('finally'), handler: 'finally' },
];
const WIDE = Array.from({ length: 1_000 }, (_, n) =>
  task(`t${n}`, ...(n < 20 ? [] : [`t${n - 20}`, `t${n - 20 - (n % 20) + ((n * 7) % 20)}`])),
);

test.each([
  ['a small plan', MIXED],
  ['a plan of a thousand tasks', WIDE],
  ['two hundred tasks that need nothing', WIDE.slice(0, 200).map(({ id }) => task(id))],
])('cards of %s do not lie on each other, but within what they are part of', (_, tasks) => {
  const layout = layoutOf({ tasks, frame });
  expect(layout.tasks.map(({ id }) => id).sort()).toEqual(tasks.map(({ id }) => id).sort());
  for (const [n, a] of layout.tasks.entries())
    for (const b of layout.tasks.slice(n + 1)) {
      const isPart = a.parent === b.id || b.parent === a.id;
      if (isPart ? !isWithin(a, b) && !isWithin(b, a) : overlap(a, b)) expect([a, b]).toBe('apart');
    }
});

test('what is needed comes before what needs it, handlers after all else', () => {
  for (const of of [
    { width: 3_000, height: 300 },
    { width: 300, height: 3_000 },
  ]) {
    const layout = layoutOf({ tasks: MIXED, frame: of });
    expect(layout.direction).toBe(of.width > of.height ? 'right' : 'down');
    const at = (box: Box) => (layout.direction === 'down' ? box.y : box.x);
    const order = ['fetch', 'build', 'build/compile', 'build/push', 'ship', 'finally'].map((id) =>
      at(boxIn(layout, id)),
    );
    expect(order).toEqual(order.toSorted((a, b) => a - b));
    expect(layout.groups).toHaveLength(1);
    expect(isWithin(boxIn(layout, 'finally'), layout.groups[0]!)).toBe(true);
  }
});

test('arrow keys go to what lies that way, and nowhere past the edge', () => {
  const { tasks } = layoutOf({
    tasks: [task('a'), task('b', 'a'), task('c', 'a')],
    frame: { width: 300, height: 900 },
  });
  const below = neighbour(tasks, 'a', 'down')!;
  expect(['b', 'c']).toContain(below);
  expect(neighbour(tasks, below, 'up')).toBe('a');
  expect(neighbour(tasks, 'a', 'up')).toBeUndefined();
  const left = tasks.filter(({ id }) => id !== 'a').sort((one, other) => one.x - other.x)[0]!.id;
  expect(neighbour(tasks, neighbour(tasks, left, 'right')!, 'left')).toBe(left);
});
