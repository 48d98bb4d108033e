import { expect, test } from 'vitest';
import { commitId } from '../../src/program/commit.ts';
import { ofPlan } from '../../src/program/of-plan.ts';
import { reviewOf } from '../../src/program/review.ts';
import { readPlanFile } from '../../src/service/plan-file.ts';

const PLAN = `plan: 1
name: release
tasks:
  build: { run: make }
  test: { run: make test, needs: build }
  lint: { run: make lint }
  publish: { run: make publish, needs: [test, lint] }
`;
const of = (text: string) => ofPlan(readPlanFile(text).definition);
const commitOf = (text: string) => commitId(of(text).dag);

test('tasks are nodes, in an order in which each comes behind what it needs', () => {
  const { dag, labels } = of(PLAN);
  expect(Object.values(labels)).toEqual(['build', 'lint', 'test', 'publish']);
  expect(dag.edges).toEqual([
    ['n1', 'n3'],
    ['n2', 'n4'],
    ['n3', 'n4'],
  ]);
  expect(dag.returns).toEqual(['n4']);
  expect(dag.nodes[0]).toEqual({
    id: 'n1',
    op: 'task',
    kind: 'run',
    fingerprint: expect.stringMatching(/^[0-9a-f]{16}$/),
  });
});

test('the commit is of what the tasks do', () => {
  expect(commitOf(PLAN.replace('name: release', 'name: other # a comment'))).toBe(commitOf(PLAN));
  expect(commitOf(PLAN.replace('[test, lint]', '[lint, test]'))).toBe(commitOf(PLAN));
  const [head, ...tasks] = PLAN.split(/(?=^ {2}\w)/m);
  expect(commitOf([head, ...tasks.reverse()].join(''))).toBe(commitOf(PLAN));
  expect(commitOf(PLAN.replace('make lint', 'make lint-all'))).not.toBe(commitOf(PLAN));
});

test('it needs no review: it asks nothing of a catalog', () => {
  const { dag, unused } = of(PLAN);
  expect(reviewOf(dag, { unused })).toMatchObject({ dry_verdict: 'ok', expensive: false, reasons: [] });
});
