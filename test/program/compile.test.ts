import { describe, expect, test } from 'vitest';
import type { ReadNode, RowsNode } from '../../src/program/dag.ts';
import { compiled, dagOf, HASH, wrongIn } from './world.ts';

const read = (text: string): ReadNode => {
  const [node] = dagOf(text).nodes;
  if (node?.op !== 'read') throw new Error(`${text} begins with ${node?.op}`);
  return node;
};
const opsOf = (text: string) => read(text).ops;
const httpOf = (text: string) => read(text).source.http;

test('a list is read by the request of its catalog', () => {
  expect(dagOf('City')).toEqual({
    version: 1,
    nodes: [
      {
        id: 'n1',
        op: 'read',
        entity: 'City',
        prompt_hash: HASH,
        ops: [],
        fields: ['area', 'capital', 'country', 'founded', 'id', 'name', 'pop', 'tags'],
        source: {
          http: {
            url: 'https://example.org/cities',
            query: { v: 2 },
            headers: { authorization: 'Bearer ${{ secrets.TOKEN }}' },
          },
          items: 'body.items',
          next: 'body.next',
          cursor: 'cursor',
          page_size: 50,
          secrets: ['TOKEN'],
        },
      },
    ],
    edges: [],
    topological_order: ['n1'],
    returns: ['n1'],
  });
});

test.each<[string, object[]]>([
  ['City{pop >= 1000}', [{ filter: [{ field: 'pop', op: '>=', value: 1000, type: 'number' }] }]],
  ['City{name ~ ro}', [{ filter: [{ field: 'name', op: '~', value: 'ro' }] }]],
  ['City{founded < 1900-01-31}', [{ filter: [{ field: 'founded', op: '<', value: '1900-01-31', type: 'date' }] }]],
  [
    'City{founded < "1900-01-31T09:00:00+02:00"}',
    [{ filter: [{ field: 'founded', op: '<', value: '1900-01-31T09:00:00+02:00', type: 'date' }] }],
  ],
  ['City{capital = true}', [{ filter: [{ field: 'capital', op: '=', value: true }] }]],
  ['City{name = true}', [{ filter: [{ field: 'name', op: '=', value: 'true' }] }]],
  ['City{area != -1.5e2}', [{ filter: [{ field: 'area', op: '!=', value: -150, type: 'number' }] }]],
  ['City{pop = null}', [{ filter: [{ field: 'pop', op: '=', value: null, type: 'number' }] }]],
  ['City{country = [it, "fr", it]}', [{ filter: [{ field: 'country', op: '=', value: ['fr', 'it'] }] }]],
  ['City{country != [it, null]}', [{ filter: [{ field: 'country', op: '!=', value: ['it', null] }] }]],
  ['City{tags = 3}', [{ filter: [{ field: 'tags', op: '=', value: 3 }] }]],
  [
    'City{id = 550e8400-e29b-41d4-a716-446655440000}',
    [{ filter: [{ field: 'id', op: '=', value: '550e8400-e29b-41d4-a716-446655440000' }] }],
  ],
  ['City{name = "a\\"b\\n\\u00e9"}', [{ filter: [{ field: 'name', op: '=', value: 'a"b\né' }] }]],
  ["City{name = 'it''s'}".replace("''", "\\'"), [{ filter: [{ field: 'name', op: '=', value: "it's" }] }]],
  ['City.limit(3)[name, id]', [{ limit: 3 }, { project: ['name', 'id'] }]],
  [
    'City => { n: _.name, t: _.tags.deep.er }',
    [
      {
        map: [
          { name: 'n', path: ['name'] },
          { name: 't', path: ['tags', 'deep', 'er'] },
        ],
      },
    ],
  ],
  [
    'City.limit(3){pop > 1}.limit(2)',
    [{ limit: 3 }, { filter: [{ field: 'pop', op: '>', value: 1, type: 'number' }] }, { limit: 2 }],
  ],
])('%s is done as it is read', (text, ops) => expect(opsOf(text)).toEqual(ops));

describe('what has to see all rows is a node of its own', () => {
  test.each<[string, object[]]>([
    ['City.sort(pop)', [{ sort: [{ field: 'pop', desc: false, type: 'number' }] }]],
    [
      'City.sort{-pop, name}',
      [
        {
          sort: [
            { field: 'pop', desc: true, type: 'number' },
            { field: 'name', desc: false },
          ],
        },
      ],
    ],
    [
      'City.sort(founded, desc, name)',
      [
        {
          sort: [
            { field: 'founded', desc: true, type: 'date' },
            { field: 'name', desc: false },
          ],
        },
      ],
    ],
    ['City.singleton()', [{ singleton: true }]],
    ['City.aggregate(count)', [{ group_by: [], aggregate: [{ name: 'count', does: 'count' }] }]],
    [
      'City.aggregate(t=sum(pop), max(area))',
      [
        {
          group_by: [],
          aggregate: [
            { name: 't', does: 'sum', field: 'pop', type: 'number' },
            { name: 'max_area', does: 'max', field: 'area', type: 'number' },
          ],
        },
      ],
    ],
    ['City.group_by(country, n=count)', [{ group_by: ['country'], aggregate: [{ name: 'n', does: 'count' }] }]],
    ['City.group_by(country, capital)', [{ group_by: ['country', 'capital'], aggregate: [] }]],
    [
      'City.sort(pop){pop > 3}.limit(2)[name]',
      [
        { sort: [{ field: 'pop', desc: false, type: 'number' }] },
        { filter: [{ field: 'pop', op: '>', value: 3, type: 'number' }] },
        { limit: 2 },
        { project: ['name'] },
      ],
    ],
  ])('%s', (text, ops) => {
    const { nodes, edges, returns } = dagOf(text);
    expect(nodes).toHaveLength(2);
    expect((nodes[1] as RowsNode).ops).toEqual(ops);
    expect(nodes[1]).toMatchObject({ id: 'n2', op: 'rows', from: 'n1' });
    expect([edges, returns]).toEqual([[['n1', 'n2']], ['n2']]);
  });

  test('sorts behind a limit sort what is left, and each is a node', () => {
    const { nodes } = dagOf('City.limit(10).sort(pop).sort(name)');
    expect(nodes.map((node) => node.op)).toEqual(['read', 'rows', 'rows']);
    expect(opsOf('City.limit(10).sort(pop)')).toEqual([{ limit: 10 }]);
  });
});

describe('a row by its key', () => {
  test.each([
    ['City("rome")', 'https://example.org/cities/rome'],
    ['City(rome)', 'https://example.org/cities/rome'],
    ['City.get("rome")', 'https://example.org/cities/rome'],
    ['City(7)', 'https://example.org/cities/7'],
    ['City("a/b?c=${{ secrets.TOKEN }}")', 'https://example.org/cities/a%2Fb%3Fc%3D%24%7B%7B%20secrets.TOKEN%20%7D%7D'],
    ['City("$&$1")', 'https://example.org/cities/%24%26%241'],
  ])('%s', (text, url) => expect(httpOf(text)).toEqual({ url }));

  test('goes into the query where its catalog says so', () => {
    expect(httpOf('District(7)')).toEqual({ url: 'https://example.org/district', query: { id: '7' } });
    expect(dagOf('District("7")')).toEqual(dagOf('District(7)'));
    expect(httpOf('District(9007199254740993)').query).toEqual({ id: '9007199254740993' });
  });
});

describe('what the source can tell itself is asked of it, too', () => {
  test.each([
    ['City{country = it}', { v: 2, in_country: 'it' }],
    ['City{capital = true, pop > 3}[id]', { v: 2, is_capital: true }],
    ['City[country, id].filter{country = "it"}', { v: 2, in_country: 'it' }],
    ['City{country = "${{ secrets.TOKEN }} $& $$"}', { v: 2, in_country: '$${{ secrets.TOKEN }} $& $$' }],
    ['City{country = it}{country = fr}', { v: 2, in_country: 'fr' }],
    ['x = City\nx{country = it}', { v: 2, in_country: 'it' }],
  ])('%s', (text, query) => {
    expect(httpOf(text).query).toEqual(query);
    expect(opsOf(text).some((op) => 'filter' in op)).toBe(true);
  });

  test.each([
    'City{country != it}',
    'City{country ~ it}',
    'City{country = [it, fr]}',
    'City{country = null}',
    'City.limit(3){country = it}',
    'City => { country: _.name }',
    'City{name = it}',
  ])('but not for %s', (text) => expect(httpOf(text).query).toEqual({ v: 2 }));
});

describe('named steps', () => {
  test('are read once when several use them', () => {
    const { dag, labels, unused } = compiled('x = City\na = x.limit(2)\nb = x.sort(pop)\nu = x[id]\nreturn a, b');
    expect(dag.nodes.map(({ id, op }) => `${id} ${op}`)).toEqual(['n1 read', 'n2 rows', 'n3 rows']);
    expect(dag.edges).toEqual([
      ['n1', 'n2'],
      ['n1', 'n3'],
    ]);
    expect(dag.returns).toEqual(['n2', 'n3']);
    expect(labels).toEqual({ n1: 'x', n2: 'a', n3: 'b' });
    expect(unused).toEqual(['u']);
  });

  test('that nothing uses change nothing of those that something does', () => {
    const { dag, unused } = compiled('x = City\nu = x.limit(1)\nw = u[id]\nreturn x');
    expect(dag).toEqual(dagOf('City'));
    expect(unused).toEqual(['w']);
  });

  test('are labels, and entities are where there is no name', () => {
    expect(compiled('top = City.sort(pop).limit(3)\ntop').labels).toEqual({ n1: 'City', n2: 'top' });
    expect(compiled('x = City\ny = x\ny').labels).toEqual({ n1: 'y' });
    expect(compiled('City.sort(pop)').labels).toEqual({ n1: 'City', n2: 'City' });
  });

  test('of the last line are the result', () => expect(dagOf('x = City.limit(3)')).toEqual(dagOf('City.limit(3)')));

  test('a thousand of them, each of the one before', () => {
    const lines = Array.from({ length: 999 }, (_, i) => `s${i + 1} = s${i}.sort(pop)`);
    const { nodes, topological_order } = dagOf(['s0 = City', ...lines].join('\n'));
    expect(nodes).toHaveLength(1_000);
    expect(topological_order.at(-1)).toBe('n1000');
    expect(wrongIn(['s0 = City', ...lines, 's1000 = s999.sort(pop)'].join('\n'))).toEqual([
      expect.stringContaining('a program has at most 1000 steps of its own; this one has 1001'),
    ]);
  });
});

describe('pages', () => {
  test('are of the rows that are returned, wherever they are named', () => {
    expect(read('City.page_size(50).limit(120)')).toMatchObject({ page_size: 50, ops: [{ limit: 120 }] });
    const [first, second] = dagOf('City.page_size(50).sort(pop)').nodes;
    expect(first).not.toHaveProperty('page_size');
    expect(second).toMatchObject({ op: 'rows', page_size: 50 });
  });

  test('of what others read, too, are a node of their own', () => {
    const { nodes, returns } = dagOf('x = City\nreturn x.page_size(4), x[id]');
    expect(nodes[0]).not.toHaveProperty('page_size');
    expect(nodes[1]).toEqual({ id: 'n2', op: 'rows', from: 'n1', ops: [], page_size: 4 });
    expect(returns).toEqual(['n2', 'n3']);
  });

  test('of a step that others read are told', () => {
    expect(wrongIn('x = City.page_size(5)\nreturn x, x.limit(2)')).toEqual([
      '1:9 x is used more than once, and pages are for results alone: write return x.page_size(5), …',
    ]);
  });
});

describe('what is not run yet is understood', () => {
  test.each([
    ['City("rome").districts', 'relation', 'City.districts', 1],
    ['x = City\nx.districts', 'relation', 'City.districts', 1],
    ['City("rome").^District', 'relation', 'City.^District', 1],
    ['City~"ro"', 'search', 'City~"ro"', 0],
    ['City.create(name=x, pop=3)', 'create', 'City.create(name="x", pop=3)', 0],
    ['City(rome).update(pop=3, name="y")', 'update', 'City("rome").update(name="y", pop=3)', 0],
    ['City("rome").delete()', 'delete', 'City("rome").delete()', 0],
    ['big = City{pop > 9}\nbig => City(_.id).update(pop=_.pop)', 'for_each', '=> City(_.id).update(pop=_.pop)', 1],
    ['City => City(_.id).delete()', 'for_each', '=> City(_.id).delete()', 1],
    ['City => District(_.pop)', 'for_each', '=> District(_.pop)', 1],
    ['City => City.create(name=_.name)', 'for_each', '=> City.create(name=_.name)', 1],
    ['City.limit(2).update(pop=3)', 'update', '.update(pop=3)', 1],
  ])('%s', (text, what, words, reads) => {
    const { nodes } = dagOf(text);
    expect(nodes.at(-1)).toEqual({ id: `n${reads + 1}`, op: 'refused', what, text: words, from: reads ? ['n1'] : [] });
  });

  test('rows of a relation have its fields', () => {
    expect(dagOf('City("rome").districts{size > 3}[name]').nodes.at(-1)).toMatchObject({ op: 'rows', from: 'n2' });
    expect(wrongIn('City("rome").districts[pop]')).toEqual([
      expect.stringContaining('rows of District have no field "pop"'),
    ]);
  });
});

test.each<[text: string, ...told: (string | RegExp)[]]>([
  ['Cty', '1:1 there is neither an entity nor a step "Cty"; did you mean "City"?'],
  ['toString', /^1:1 there is neither an entity nor a step "toString"; there is City, District, /],
  ['x = y\ny = City', '1:5 y is named by a later line, or by this one; a step stands before those that use it'],
  ['x = x', '1:5 x is named by a later line, or by this one; a step stands before those that use it'],
  ['x = City\nx = City', '2:1 "x" is named twice; choose another name'],
  ['City = City', '1:1 City is an entity; choose another name for the step'],
  ['return City.limit(1)[name], x', /^1:29 there is neither/],
  ['x = City\nreturn x, x', '2:11 the same rows are returned twice; keep one'],
  ['City{nam = x}', '1:6 rows of City have no field "nam"; did you mean "name"?'],
  ['City{toString = x}', /^1:6 rows of City have no field "toString"; there is id, name, /],
  ['City[name]{pop > 3}', '1:12 rows of City have no field "pop" after [name]; there is name'],
  [
    'City.group_by(country, n=count){pop > 3}',
    '1:33 the rows of these groups have no field "pop"; there is country, n',
  ],
  ['City => { n: _.name }\n.sort(name)', '2:7 the rows of this map have no field "name"; there is n'],
  ['City{pop >= "x"}', '1:13 pop is a whole number; "x" is not'],
  ['City{pop >= "300"}', '1:13 pop is a whole number; write 300, without quotes'],
  ['City{pop >= 1.5}', '1:13 pop is a whole number; 1.5 is not'],
  ['City{pop >= 9007199254740993}', '1:13 pop is a whole number; 9007199254740993 is not'],
  ['City{area > 1e999}', '1:13 area is a number; 1e999 is not'],
  ['City{name = 3}', '1:13 name is text; write "3", in quotes'],
  ['City{capital = 1}', '1:16 capital is true or false; 1 is not'],
  ['City{capital = "true"}', '1:16 capital is true or false; write true, without quotes'],
  ['City{capital > true}', '1:6 capital is true or false, which is compared with = and != alone'],
  ['City{tags > 3}', '1:6 tags is JSON, which is compared with = and != alone'],
  ['City{pop ~ 3}', '1:6 pop is a number, which is compared with = and != or by its order alone'],
  ['City{pop > null}', '1:6 null is compared with = and != alone'],
  ['City{pop > [1, 2]}', '1:12 pop is a whole number; a list stands for one of several values, behind = or != alone'],
  ['City{pop = []}', '1:6 the list of values for pop is empty'],
  ['City{pop = [[1]]}', /^1:13 pop is a whole number; a list/],
  ['City{founded > 2026-02-30}', /^1:16 founded is a date such as .*; 2026-02-30 is not$/],
  ['City{founded > "x"}', /^1:16 founded is a date such as .*; "x" is not$/],
  [
    'x = City\nDistrict{name = x.name}',
    '2:17 x.name would read another step, which is not supported yet; write the value itself',
  ],
  ['City{pop = _.pop}', '1:12 _ is the row of a => step, and there is none here'],
  ['City(_.id)', '1:6 _ is the row of a => step, and there is none here'],
  ['_.limit(3)', '1:1 _ is the row of a => step, and there is none here'],
  ['District(x)', '1:10 id is a whole number; x is not'],
  ['District("07")', '1:10 id is a whole number; "07" is not'],
  ['City("")', '1:6 id cannot be ""'],
  ['City("..")', '1:6 id cannot be ".."'],
  ['Law(3)', '1:1 one Law cannot be asked for: its catalog has no get; write Law{field = …}'],
  ['Mayor', '1:1 Mayor cannot be listed: its catalog has no list; one row is Mayor(id)'],
  ['x = City\nx(3)', /^2:1 x is a step; only of an entity/],
  ['City.sort(tags)', '1:11 tags is JSON, which has no order'],
  ['City.group_by(tags)', '1:15 tags is JSON, by which rows cannot be grouped'],
  ['City.aggregate(t=sum(name))', '1:22 sum takes a number, and name is string'],
  ['City.aggregate(t=max(tags))', '1:22 max takes what has an order, and tags is json'],
  ['City.aggregate(t=max(capital))', '1:22 max takes what has an order, and capital is boolean'],
  ['City => { n: _.name.first }', '1:21 name is string, and has no parts; only json has some'],
  ['City => { __proto__: _.name }', '1:11 "__proto__" cannot name a field; choose another name'],
  ['City.name', '1:6 name is a field; fields are chosen in brackets: [name]'],
  ['City.district', '1:6 rows of City have no relation "district"; did you mean "districts"?'],
  ['City[name].districts', /^1:12 rows of City have no relation "districts"/],
  ['City("rome").^Mayor', '1:15 Mayor has no relation to City'],
  ['City("rome").^Nobody', /^1:15 there is no entity "Nobody"/],
  ['City.update(pop=3)', '1:5 which City? Write City(id).update(…)'],
  ['City("rome").create(pop=3)', '1:13 a row is made without its id: City.create(field=value)'],
  ['City.limit(2).create(pop=3)', '1:14 .create(…) stands right behind the entity: City.create(field=value)'],
  ['Mayor(3).delete()', '1:9 Mayor has no delete in its catalog'],
  ['City[name].update(pop=3)', /^1:11 /],
  ['City("rome").update(pop=x)', '1:25 pop is a whole number; x is not'],
  ['City("rome").update(popp=3)', '1:21 rows of City have no field "popp"; did you mean "pop"?'],
  ['City("rome").delete().limit(3)', '1:22 nothing may follow .delete(…)'],
  ['City => City(_.idd).delete()', '1:16 rows of City have no field "idd"; did you mean "id"?'],
  ['City => City', '1:9 behind => stands one call for every row, such as City(_.id).update(field=value)'],
  [
    'City => City(_.id).delete().limit(3)',
    '1:9 behind => stands one call for every row, such as City(_.id).update(field=value)',
  ],
  ['City => Nothing(_.id).delete()', /^1:9 there is neither an entity nor a step "Nothing"/],
  ['City{nam = 1}.sort(popp)\n', /^1:6 /, /^1:20 /],
])('%j is told with its place', (text, ...told) => {
  const found = wrongIn(text);
  expect(found).toHaveLength(told.length);
  for (const [i, one] of told.entries())
    typeof one === 'string' ? expect(found[i]).toBe(one) : expect(found[i]).toMatch(one);
});
