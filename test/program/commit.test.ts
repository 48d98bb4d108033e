import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { commitId } from '../../src/program/commit.ts';
import { compile } from '../../src/program/compile.ts';
import { parseProgram } from '../../src/program/parse.ts';
import { commitOf, compiled, dagOf, HASH, world } from './world.ts';

describe('what means the same has the same commit', () => {
  test.each([
    ['City.filter{pop >= 300}', '  City.filter{ pop>=300 }  '],
    ['City.filter{pop >= 300}', 'City{pop >= 300}'],
    ['City.filter{pop >= 300}', 'City\n  .filter{\n    pop >= 300, ;; big\n  }'.replace(',', '')],
    ['City.filter{pop >= 300}', ';; big ones\nCity.filter{pop >= 300} ;; all of them\n'],
    ['City.filter{pop >= 300}', 'City.filter{pop >= 3e2}'],
    ['City{country = "it"}', 'City{country == it}'],
    ['City{country = "it"}', "City{country = 'it'}"],
    ['City{country = "it"}', 'City{country = [it]}'],
    ['City{country = "it"}', 'City{country = "\\u0069t"}'],
    ['City{country = [it, fr]}', 'City{country = ["fr", it, it]}'],
    ['City{pop > 3, name ~ ro}', 'City{name ~ ro, pop > 3, pop > 3}'],
    ['City{pop > 3, name ~ ro}', 'City{name ~ ro}.filter{pop > 3}'],
    ['City{pop = 0}', 'City{pop = -0}'],
    ['City[id, name]', 'City.project{id, name}'],
    ['City[id, name]', 'City[id, name, pop][id, name]'],
    ['City.sort(pop)', 'City.sort(pop, asc)'],
    ['City.sort(pop, desc)', 'City.sort{-pop}'],
    ['City.sort(pop, desc, name)', 'City.sort(-pop, name, asc)'],
    ['City.limit(3)', 'City.limit(10).limit(3).limit(5)'],
    ['City.limit(3).page_size(2)', 'City.page_size(2).limit(3)'],
    ['City("rome")', 'City.get(rome)'],
    ['District(7)', 'District("7")'],
    ['City.aggregate(count)', 'City.aggregate(count=count)'],
    ['City.limit(3)[id]', 'x = City\ny = x.limit(3)\ny[id]'],
    ['City.limit(3)[id]', 'x = City\ny = x\nz = y.limit(3)[id]\nz'],
    ['City.limit(3)[id]', 'x = City.limit(3)[id]\nreturn x'],
    ['City.limit(3)[id]', 'x = City.limit(3)[id]'],
    ['City.limit(3)[id]', 'other = District\nCity.limit(3)[id]'],
    ['City.page_size(3)', 'x = City.page_size(3)\nx'],
    ['x = City\nreturn x.limit(1), x.limit(2)', 'rows = City\na = rows.limit(1)\nb = rows.limit(2)\na, b'],
    ['a = City[id]\nb = District[id]\nreturn a, b', 'b = District[id]\na = City[id]\nreturn a, b'],
    ['City(rome).update(pop=3, name=x)', 'City("rome").update(name="x", pop=3)'],
  ])('%j and %j', (a, b) => expect(commitOf(b)).toBe(commitOf(a)));
});

describe('what means something else has another', () => {
  test.each([
    ['City.filter{pop >= 300}', 'City.filter{pop >= 301}'],
    ['City.filter{pop >= 300}', 'City.filter{pop > 300}'],
    ['City', 'District'],
    ['City[id, name]', 'City[name, id]'],
    ['City.limit(3)[id]', 'City.limit(3)'],
    ['City.limit(3){pop > 1}', 'City{pop > 1}.limit(3)'],
    ['City.limit(10).sort(pop)', 'City.sort(pop).limit(10)'],
    ['City.sort(pop)', 'City.sort(pop, desc)'],
    ['City.sort(pop, desc, name)', 'City.sort(name, asc, pop, desc)'],
    ['City{country = [it, fr]}', 'City{country = it}'],
    ['City{pop = null}', 'City{pop != null}'],
    ['City("rome")', 'City{id = "rome"}'],
    ['City.page_size(3)', 'City.limit(3)'],
    ['City, District', 'District, City'],
    ['x = City\nreturn x[id], x[name]', 'return City[id], City[name]'],
    ['City.aggregate(n=count)', 'City.aggregate(m=count)'],
  ])('%j and %j', (a, b) => expect(commitOf(b)).not.toBe(commitOf(a)));

  test('and so has the same program over another catalog', () => {
    const parsed = parseProgram('City');
    if (parsed.kind !== 'program') throw new Error('no program');
    expect(commitId(compile(parsed.ast, world, 'e'.repeat(32)).dag)).not.toBe(commitOf('City'));
  });
});

test('it is the SHA-256 of exactly the five fields, whatever else is there, and in whatever order', () => {
  const dag = dagOf('City.limit(3)');
  const text = JSON.stringify({
    edges: dag.edges,
    nodes: 0,
    returns: dag.returns,
    topological_order: dag.topological_order,
    version: 1,
  });
  expect(commitId({ ...dag, nodes: 0 } as never)).toBe(createHash('sha256').update(text).digest('hex'));
  expect(commitId({ name: 'x', summary: 'y', ...dag } as never)).toBe(commitId(dag));
  const { version, nodes, edges, topological_order, returns } = dag;
  expect(commitId({ returns, topological_order, edges, nodes, version })).toBe(commitId(dag));
});

const space = fc.stringMatching(/^[ \t\r]{0,2}$/);
const comment = fc.constantFrom('', ' ;; x > } "', ' ;;');
const field = fc.constantFrom('id', 'name', 'pop', 'country');
const predicate = fc.constantFrom(
  ['pop', '>=', '300'],
  ['country', '=', '"it"'],
  ['name', '~', '"ro"'],
  ['pop', '!=', 'null'],
  ['capital', '=', 'true'],
);
const op = fc.oneof(
  fc
    .array(predicate, { minLength: 1, maxLength: 3 })
    .map((all) => ['.', 'filter', '{', ...all.flatMap((one, i) => (i ? [',', ...one] : one)), '}']),
  fc.nat(20).map((n) => ['.', 'limit', '(', `${n + 1}`, ')']),
  field.map((name) => ['.', 'sort', '(', name, ',', 'desc', ')']),
);
const program = fc.array(op, { maxLength: 5 }).map((ops) => ['City', ...ops.flat()]);

test('white space and comments between words never count', () => {
  fc.assert(
    fc.property(program, fc.array(space, { minLength: 60, maxLength: 60 }), comment, (words, spaces, end) => {
      const spaced = words.map((word, i) => `${spaces[i % 60]}${word}`).join('');
      expect(commitOf(`${spaced}${end}`)).toBe(commitOf(words.join('')));
    }),
    { seed: 1, numRuns: 150 },
  );
});

test('a chain may be cut into named steps anywhere', () => {
  fc.assert(
    fc.property(fc.array(op, { minLength: 1, maxLength: 5 }), fc.nat(), (ops, cuts) => {
      const lines = ops.map((words, i) => [`s_${i}`, words.join('')] as const);
      let [text, last] = ['', 'City'];
      for (const [i, [name, step]] of lines.entries())
        if ((cuts >> i) & 1) [text, last] = [`${text}${name} = ${last}${step}\n`, name];
        else last += step;
      expect(commitOf(`${text}${last}`)).toBe(commitOf(`City${ops.flat().join('')}`));
    }),
    { seed: 2, numRuns: 150 },
  );
});

test('every DAG is in topological order, and says all that its nodes read', () => {
  const line = fc.record({ from: fc.nat(), op, use: fc.boolean() });
  fc.assert(
    fc.property(
      fc.array(line, { minLength: 1, maxLength: 12 }),
      fc.uniqueArray(fc.nat(12), { minLength: 1, maxLength: 3 }),
      (lines, returned) => {
        const names = ['City', ...lines.map((_, i) => `s_${i}`)];
        const text = lines.map(({ from, op }, i) => `${names[i + 1]} = ${names[from % (i + 1)]}${op.join('')}`);
        const roots = [...new Set(returned.map((n) => names[1 + (n % lines.length)]))];
        const { dag, labels } = compiled([...text, `return ${roots.join(', ')}`].join('\n'));
        const at = new Map(dag.topological_order.map((id, i) => [id, i]));
        expect(dag.nodes.map(({ id }) => id)).toEqual(dag.topological_order);
        expect(Object.keys(labels)).toEqual(dag.topological_order);
        for (const [from, to] of dag.edges) expect(at.get(from)!).toBeLessThan(at.get(to)!);
        const read = dag.nodes.flatMap((node) => (node.op === 'rows' ? [[node.from, node.id]] : []));
        expect(dag.edges).toEqual(read);
        // Nothing is done that no result needs.
        const needed = new Set(dag.returns);
        for (const [from, to] of [...dag.edges].reverse()) if (needed.has(to)) needed.add(from);
        expect(needed.size).toBe(dag.nodes.length);
      },
    ),
    { seed: 3, numRuns: 200 },
  );
});

test('the prompt hash is of what every node reads', () => expect(JSON.stringify(dagOf('City'))).toContain(HASH));
