import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  ExpressionError,
  evaluate,
  expressionsIn,
  references,
  renderDeep,
  renderTemplate,
  type Scope,
  splitTemplate,
} from '../../src/plan/expression.ts';
import type { Json } from '../../src/plan/json.ts';

const SCOPE: Scope = {
  inputs: { n: 3, ratio: 1.5, name: 'Ada', list: [1, 2, 3], 'a-b': true, nothing: null },
  tasks: { build: { status: 'succeeded', outputs: { tag: 'v1', files: [{ path: 'a' }] } } },
  plan: { id: 'p', name: 'release', run: 2 },
};

describe('an expression gives plain JSON', () => {
  test.each<[expression: string, value: Json]>([
    ['inputs.n + 1', 4],
    ['inputs.ratio * 2.0', 3],
    ['inputs["a-b"]', true],
    ['inputs.name + "!"', 'Ada!'],
    ['inputs.nothing', null],
    ['inputs.list.map(x, x * 2)', [2, 4, 6]],
    ['inputs.list.exists(x, x > 2)', true],
    ['size(inputs.list) == 3 && plan.run > 1', true],
    ['tasks.build.status == "succeeded"', true],
    ['tasks.build.outputs.files[0].path', 'a'],
    ['has(tasks.build.outputs.other) ? 1 : 2', 2],
    ['{"a": inputs.n, "b": ["x"]}', { a: 3, b: ['x'] }],
    ['9007199254740993', '9007199254740993'],
  ])('%s', (expression, value) => expect(evaluate(expression, SCOPE)).toEqual(value));

  test.each([
    ['inputs.n = 3', /Unexpected character: =; compare with "==" in the expression `inputs.n = 3`/],
    ['inputs.other', /No such key: other/],
    ['tasks.build.outputs.tag + 1', /no such overload/],
    ['1 / 0', /division by zero/],
    ['bytes("a")', /not plain data/],
    ['['.repeat(60), /in the expression/],
  ])('%s is refused in one line', (expression, message) => {
    expect(() => evaluate(expression, SCOPE)).toThrow(ExpressionError);
    expect(() => evaluate(expression, SCOPE)).toThrow(message);
    expect(() => evaluate(expression, SCOPE)).not.toThrow(/\n/);
  });

  test('any value that goes in comes out as it was', () => {
    const json = fc.jsonValue().map((value) => JSON.parse(JSON.stringify(value)) as Json);
    fc.assert(
      fc.property(json, (value) => {
        expect(evaluate('inputs.v', { ...SCOPE, inputs: { v: value } })).toEqual(value);
      }),
    );
  });
});

describe('what an expression reads is known before it runs', () => {
  test.each([
    ['inputs.n + size(inputs["a-b"])', { inputs: ['n', 'a-b'], tasks: [], secrets: [], unknown: [] }],
    ['tasks.a.outputs.x == tasks["b"].status', { inputs: [], tasks: ['a', 'b'], secrets: [], unknown: [] }],
    ['has(tasks.a.outputs.x) ? plan.name : foo', { inputs: [], tasks: ['a'], secrets: [], unknown: ['foo'] }],
    ['inputs.list.map(x, x + y)', { inputs: ['list'], tasks: [], secrets: [], unknown: ['y'] }],
    ['[1].exists(tasks, tasks > inputs.n)', { inputs: ['n'], tasks: [], secrets: [], unknown: [] }],
    ['[{"a": 1}].exists(tasks, tasks.a == 1)', { inputs: [], tasks: [], secrets: [], unknown: [] }],
    ['{"k": tasks.a.status}', { inputs: [], tasks: ['a'], secrets: [], unknown: [] }],
    ['tasks[inputs.which].status', { inputs: ['which'], tasks: [], secrets: [], unknown: [] }],
    ['tasks.a.inputs.tasks', { inputs: [], tasks: ['a'], secrets: [], unknown: [] }],
    ['secrets.A + secrets["b"]', { inputs: [], tasks: [], secrets: ['A', 'b'], unknown: ['secrets'] }],
  ])('%s', (expression, reads) => expect(references(expression)).toMatchObject(reads));

  test('what cannot be parsed is refused', () => expect(() => references('inputs.')).toThrow(ExpressionError));
});

describe('expressions in text', () => {
  test.each([
    ['plain $ {{ text }}', [{ text: 'plain $ {{ text }}' }]],
    ['${{ a }}', [{ expression: 'a', offset: 0 }]],
    [
      'x ${{a}}${{ b }} y',
      [{ text: 'x ' }, { expression: 'a', offset: 2 }, { expression: 'b', offset: 8 }, { text: ' y' }],
    ],
    ['$${{ a }}', [{ text: '${{ a }}' }]],
    ['${{ {"a": {}} }}', [{ expression: '{"a": {}}', offset: 0 }]],
    [`\${{ "}}" + '\\'}}' }}`, [{ expression: `"}}" + '\\'}}'`, offset: 0 }]],
  ])('%s is split', (text, parts) => expect(splitTemplate(text)).toEqual(parts));

  test.each(['${{', 'a ${{ b', '${{ "}}', '${{ { }}'])('%s is not closed', (text) =>
    expect(() => splitTemplate(text)).toThrow(/is not closed by "}}"/),
  );

  test('a lone expression keeps its type; among text values become text', () => {
    expect(renderTemplate('${{ inputs.list }}', SCOPE)).toEqual([1, 2, 3]);
    expect(renderTemplate('n=${{ inputs.n }} ${{ inputs.list }} ${{ inputs.name }}', SCOPE)).toBe('n=3 [1,2,3] Ada');
    expect(renderTemplate('${{ inputs.name }}', SCOPE, (value) => `<${value}>`)).toBe('<Ada>');
    expect(renderTemplate('', SCOPE)).toBe('');
  });

  test('values are filled in wherever they stand', () => {
    const value = { a: ['${{ inputs.n }}', 1], b: { c: 'x-${{ plan.name }}', d: null } };
    expect(renderDeep(value, SCOPE)).toEqual({ a: [3, 1], b: { c: 'x-release', d: null } });
    expect(expressionsIn(value)).toEqual([
      { path: ['a', 0], text: 'inputs.n' },
      { path: ['b', 'c'], text: 'plan.name' },
    ]);
  });

  test('text without "${{" stays as it is', () => {
    fc.assert(
      fc.property(
        fc.string().filter((text) => !text.includes('${{')),
        (text) => {
          expect(renderTemplate(text, SCOPE)).toBe(text);
        },
      ),
    );
  });
});

test.each([
  ["'aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa!'.matches('^(a+)+$')", /matches\(\) is not supported/],
  ['[1].map(a, [1].filter(b, [1].exists(c, c == a)))', /more than 2 nested/],
])('%s, which could take for ever, is refused when it is read', (expression, message) => {
  expect(() => references(expression)).toThrow(message);
  expect(() => references('[1].map(a, [1].filter(b, b == a))')).not.toThrow();
});
