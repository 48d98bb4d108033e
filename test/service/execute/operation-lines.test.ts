import { expect, test } from 'vitest';
import { wireLine } from '../../../src/plan/wire-line.ts';
import { operationLines } from '../../../src/service/execute/operation-lines.ts';

type Told = [at: number, step: number, rows: number];
const STEPS = { steps: ['n1', 'n2', 'n3'], returns: [] as { node: string; label: string }[] };
const returning = (...nodes: string[]) => ({ ...STEPS, returns: nodes.map((node) => ({ node, label: node })) });
const linesOf = (facts: typeof STEPS, told: Told[]) =>
  operationLines(
    told.map(([at, step, rows], i) => ({ n: i + 2, at, step, total: 3, label: `s${step}`, rows })),
    facts,
  ).map(({ n, parts }) => `${n} ${wireLine('h', parts)}`);

test.for<[what: string, facts: typeof STEPS, told: Told[], lines: string[]]>([
  [
    'of steps at the same time never go back, and have the rows of all that is returned',
    returning('n1', 'n2', 'n3'),
    [
      [0, 1, 0],
      [10, 2, 0],
      [20, 3, 0],
      [2_100, 1, 50],
      [2_200, 2, 7],
      [4_200, 3, 20],
    ],
    ['2 `h` ~ 1/3 s1', '3 `h` ~ 2/3 s2', '4 `h` ~ 3/3 s3', '5 `h` ~ 3/3 s3 50r', '6 `h` ~ 3/3 s3 77r'],
  ],
  [
    'that are told late, of an earlier step, say nothing new',
    returning('n1', 'n3'),
    [
      [0, 3, 5],
      [10, 1, 0],
      [5_000, 2, 0],
    ],
    ['2 `h` ~ 3/3 s3 5r'],
  ],
  [
    'count what results are made of as long as there are none',
    returning('n3'),
    [
      [0, 1, 0],
      [2_100, 1, 50],
      [4_300, 1, 120],
      [4_400, 2, 0],
      [4_500, 3, 1],
    ],
    ['2 `h` ~ 1/3 s1', '3 `h` ~ 1/3 s1 50r', '4 `h` ~ 1/3 s1 120r', '5 `h` ~ 2/3 s2 120r', '6 `h` ~ 3/3 s3 1r'],
  ],
  [
    'tell rows every two seconds at most, however many steps have some',
    returning('n1', 'n2'),
    [
      [0, 1, 0],
      [5, 2, 0],
      [3_000, 1, 10],
      [3_500, 2, 10],
      [4_999, 1, 20],
      [5_000, 2, 20],
    ],
    ['2 `h` ~ 1/3 s1', '3 `h` ~ 2/3 s2', '4 `h` ~ 2/3 s2 10r', '5 `h` ~ 2/3 s2 40r'],
  ],
])('lines %s', ([, facts, told, lines]) => {
  expect(linesOf(facts, told)).toEqual(lines);
});
