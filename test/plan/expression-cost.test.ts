import { expect, test } from 'vitest';
import { evaluate, renderDeep } from '../../src/plan/expression.ts';
import type { Json } from '../../src/plan/json.ts';

const scope = (inputs: Record<string, Json>) => ({ inputs, tasks: {}, plan: { id: 'p', name: 'n', run: 1 } });
const numbers = (n: number) => Array.from({ length: n }, (_, i) => i);

test.each([
  ['a loop over a long list', 'inputs.l.filter(i, i > 5).size()', { l: numbers(100_000) }],
  ['a loop in a loop over short ones', 'inputs.l.all(i, inputs.l.all(j, i + j >= 0))', { l: numbers(300) }],
  ['a search in a short list', 'inputs.l.filter(i, i in inputs.few).size()', { l: numbers(50_000), few: [1, 2] }],
  [
    'lists in a list, each gone through once',
    'inputs.l.map(one, one.n.filter(i, i > 1).size()).size()',
    { l: numbers(5_000).map((i) => ({ n: [i, i, i, i] })) },
  ],
  [
    'what one loop leaves, in another',
    'inputs.l.filter(i, i > 1).map(i, i * 2).filter(i, i == 6)',
    { l: numbers(50_000) },
  ],
])('%s is evaluated', (_, expression, inputs) => {
  expect(() => evaluate(expression, scope(inputs))).not.toThrow();
});

test.each([
  ['a loop in a loop', 'inputs.l.all(i, inputs.l.all(j, i + j >= 0))', { l: numbers(20_000) }],
  ['a search in a loop', 'inputs.l.all(i, i in inputs.l)', { l: numbers(20_000) }],
  [
    'texts looked through in a loop',
    'inputs.l.exists(i, inputs.t.contains("b"))',
    { l: numbers(20_000), t: 'a'.repeat(1_000_000) },
  ],
  ['lists compared in a loop', 'inputs.l.all(i, inputs.l == inputs.m)', { l: numbers(20_000), m: numbers(20_000) }],
  ['a list that grows in a loop', 'inputs.l.map(i, inputs.l + [i]).size()', { l: numbers(5_000) }],
  ['loops over what loops made', 'inputs.l.map(i, i).all(i, inputs.l.map(j, j).all(k, k < i))', { l: numbers(5_000) }],
])('%s over much is refused before it begins, for it could not be ended', (_, expression, inputs) => {
  expect(() => evaluate(expression, scope(inputs))).toThrow(/take too many steps \(more than 300,000\)/);
});

test('values are made readable once for all expressions of a task', () => {
  let read = 0;
  const l = new Proxy(numbers(10), {
    get(target, key) {
      if (key === 'map') read += 1;
      return Reflect.get(target, key);
    },
  });
  renderDeep(
    { a: '${{ inputs.l.size() }}', b: ['${{ inputs.l[0] }}', 'x ${{ inputs.l[1] }} ${{ inputs.l[2] }}'] },
    scope({ l }),
  );
  expect(read).toBe(1);
});
