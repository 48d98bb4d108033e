import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { grouped } from '../../src/activities/program/aggregate.ts';
import type { Row } from '../../src/activities/program/chunk.ts';
import { predicateOf } from '../../src/activities/program/predicate.ts';
import { type SortKeys, sorted } from '../../src/activities/program/sorted.ts';
import type { Json } from '../../src/plan/json.ts';
import type { FieldType, Predicate, RowOp } from '../../src/program/dag.ts';
import { failure, home, pipe, stores } from './program/attempt.ts';

async function* batches(...lists: Row[][]): AsyncGenerator<Row[], void> {
  yield* lists;
}
async function all(source: AsyncIterable<Row[]>): Promise<Row[]> {
  const rows: Row[] = [];
  for await (const batch of source) rows.push(...batch);
  return rows;
}

describe('predicates', () => {
  const holds = (value: Json | undefined, op: Predicate['op'], than: Json, type?: FieldType) =>
    predicateOf({ field: 'f', op, value: than, ...(type && { type }) })(value === undefined ? {} : { f: value });

  const cases: [Json | undefined, Predicate['op'], Json, boolean, FieldType?][] = [
    [9, '<', 10, true],
    [10, '>=', 10, true],
    [10, '<=', 9.5, false],
    ['9', '<', 10, true],
    [' 1e3 ', '=', 1000, true],
    ['9007199254740993', '>', 9, true],
    ['nine', '<', 10, false],
    ['nine', '!=', 10, true],
    ['', '<', 10, false],
    [true, '>', 0, false],
    ['9', '<', '10', false],
    ['b', '>', 'a', true],
    ['ﬀ', '<', '😀', true],
    ['a', '<', 'ab', true],
    ['1', '=', '1.0', false],
    ['1', '=', '1.0', true, 'number'],
    [true, '=', true, true],
    [true, '=', 'true', false],
    [undefined, '=', 'x', false],
    [null, '<', 1, false],
    [undefined, '>=', 0, false],
    [undefined, '!=', 'x', true],
    [null, '!=', 'x', true],
    [undefined, '=', null, true],
    [0, '=', null, false],
    [0, '!=', null, true],
    [null, '!=', null, false],
    [undefined, '~', '', false],
    ['Pikachu', '~', 'KACH', true],
    ['Pikachu', '~', 'x', false],
    ['ÄPFEL', '~', 'äpf', true],
    [125, '~', '2', true],
    [['Fire', 'Grass'], '~', 'gra', true],
    [{ a: 'x' }, '~', 'x', false],
    ['it', '=', ['fr', 'it'], true],
    ['de', '=', ['fr', 'it'], false],
    ['de', '!=', ['fr', 'it'], true],
    [['fr', 'it'], '=', ['fr', 'it'], true],
    [{ b: 1, a: 2 }, '=', { a: 2, b: 1 }, true],
    ['2024-01-02', '>', '2024-01-01T23:59:59.999Z', true, 'date'],
    ['2024-01-01T00:00:00+02:00', '=', '2023-12-31T22:00:00Z', true, 'date'],
    ['2024-01-01T00:00:00', '=', '2024-01-01', true, 'date'],
    ['2024-01-01T00:00:00.123456Z', '<', '2024-01-01T00:00:00.123789Z', true, 'date'],
    [1_704_067_200, '=', '2024-01-01', true, 'date'],
    [1_704_067_200_000, '=', '2024-01-01', true, 'date'],
    ['soon', '<', '2024-01-01', false, 'date'],
    ['2024-13-99', '<', '2025-01-01', false, 'date'],
  ];
  test.each(cases)('%j %s %j is %s %s', (value, op, than, expected, type) => {
    expect(holds(value, op, than, type)).toBe(expected);
  });

  test('fields by the names that all objects have are fields like others', () => {
    expect(predicateOf({ field: 'constructor', op: '=', value: null })({})).toBe(true);
    expect(predicateOf({ field: '__proto__', op: '=', value: 1 })(JSON.parse('{"__proto__": 1}'))).toBe(true);
  });
});

describe('sort', () => {
  const by = (field: string, desc = false, type?: FieldType) => ({ field, desc, ...(type && { type }) });
  const order = async (values: (Json | undefined)[], desc: boolean, type?: FieldType) => {
    const given = values.map((f): Row => (f === undefined ? {} : { f }));
    return (await pipe([given], [{ sort: [by('f', desc, type)] }])).rows.map(({ f }) => f);
  };

  test('numbers as numbers, texts by code point, and what is missing last either way', async () => {
    const values = ['b', 10, undefined, 'B', 9, '😀', 'ﬀ', null, false, true];
    expect(await order(values, false)).toEqual([9, 10, 'B', 'b', 'ﬀ', '😀', false, true, undefined, null]);
    expect(await order(values, true)).toEqual([true, false, '😀', 'ﬀ', 'b', 'B', 10, 9, undefined, null]);
  });

  test('by the type of the field, where JSON has none for it', async () => {
    expect(await order(['10', '9', 'x', '1e1'], false, 'number')).toEqual(['9', '10', '1e1', 'x']);
    expect(await order(['2024-01-01', '2023-12-31T23:00:00-05:00', '2023-12-31'], false, 'date')).toEqual([
      '2023-12-31',
      '2024-01-01',
      '2023-12-31T23:00:00-05:00',
    ]);
  });

  test('by several fields; equal rows stay as they came', async () => {
    const given = [
      { a: 1, b: 2, n: 1 },
      { a: 1, b: 1, n: 2 },
      { a: 0, b: 1, n: 3 },
      { a: 1, b: 1, n: 4 },
    ];
    const { rows } = await pipe([given.slice(0, 2), given.slice(2)], [{ sort: [by('a', true), by('b')] }]);
    expect(rows.map(({ n }) => n)).toEqual([2, 4, 1, 3]);
  });

  test('more than is held at once is sorted like what is not, and leaves no files', async () => {
    const keys: SortKeys = [by('a', true), by('b')];
    const row = fc.record({
      a: fc.oneof(fc.integer({ max: 5, min: 0 }), fc.constant(null)),
      b: fc.string({ maxLength: 3 }),
    });
    const folder = join(home, 'sorting');
    await fc.assert(
      fc.asyncProperty(fc.array(row, { maxLength: 80 }), fc.option(fc.nat(90)), async (rows, first) => {
        const given = rows.map((one, n) => ({ ...one, n }));
        const room = { folder, ...(first !== null && { first }) };
        const halves = () => batches(given.slice(0, 30), given.slice(30));
        const held = await all(sorted(halves(), keys, room));
        const spilled = await all(sorted(halves(), keys, { ...room, runBytes: 200, mostRuns: 3 }));
        expect(spilled.slice(0, first ?? undefined)).toEqual(held.slice(0, first ?? undefined));
        if (first === null) expect(held).toHaveLength(rows.length);
        expect(existsSync(folder)).toBe(false);
      }),
      { numRuns: 60 },
    );
  });

  test('what nobody reads to its end leaves no files either', async () => {
    const folder = join(home, 'left');
    const rows = Array.from({ length: 100 }, (_, n) => ({ n }));
    for await (const batch of sorted(batches(rows), [by('n')], { folder, runBytes: 100 })) {
      expect(batch.length).toBeGreaterThan(0);
      expect(readdirSync(folder).length).toBeGreaterThan(1);
      break;
    }
    expect(existsSync(folder)).toBe(false);
  });
});

describe('ops', () => {
  const rows = Array.from({ length: 20 }, (_, i) => ({ id: i + 1, kind: i % 3 === 0 ? 'a' : 'b', deep: { x: [i] } }));
  const half = [rows.slice(0, 7), rows.slice(7)];
  const cases: [string, RowOp[], Row[]][] = [
    [
      'limit, then sort: the limited ones are sorted',
      [{ limit: 2 }, { sort: [{ field: 'id', desc: true }] }, { project: ['id'] }],
      [{ id: 2 }, { id: 1 }],
    ],
    [
      'sort, then limit: the first of all',
      [{ sort: [{ field: 'id', desc: true }] }, { project: ['id'] }, { limit: 2 }],
      [{ id: 20 }, { id: 19 }],
    ],
    [
      'sort, then filter, then limit',
      [
        { sort: [{ field: 'id', desc: true }] },
        { filter: [{ field: 'id', op: '<', value: 3 }] },
        { limit: 1 },
        { project: ['id'] },
      ],
      [{ id: 2 }],
    ],
    [
      'map reaches into rows; what is missing is null',
      [
        { limit: 1 },
        {
          map: [
            { name: 'x', path: ['deep', 'x'] },
            { name: 'y', path: ['deep', 'no', 'z'] },
          ],
        },
      ],
      [{ x: [0], y: null }],
    ],
    ['a limit of 0', [{ sort: [{ field: 'id', desc: true }] }, { limit: 0 }], []],
    [
      'groups, in the order in which they came',
      [
        {
          group_by: ['kind'],
          aggregate: [
            { name: 'n', does: 'count' },
            { name: 'sum', does: 'sum', field: 'id' },
          ],
        },
      ],
      [
        { kind: 'a', n: 7, sum: 70 },
        { kind: 'b', n: 13, sum: 140 },
      ],
    ],
    [
      'groups, sorted',
      [
        { group_by: ['kind'], aggregate: [{ name: 'n', does: 'count' }] },
        { sort: [{ field: 'n', desc: true }] },
        { limit: 1 },
      ],
      [{ kind: 'b', n: 13 }],
    ],
    [
      'all in one',
      [
        {
          group_by: [],
          aggregate: [
            { name: 'least', does: 'min', field: 'id' },
            { name: 'most', does: 'max', field: 'kind' },
            { name: 'mean', does: 'avg', field: 'id' },
          ],
        },
      ],
      [{ least: 1, most: 'b', mean: 10.5 }],
    ],
    ['one', [{ filter: [{ field: 'id', op: '=', value: 5 }] }, { singleton: true }, { project: ['id'] }], [{ id: 5 }]],
  ];
  test.each(cases)('%s', async (_, ops, expected) => {
    const { rows, count, plan } = await pipe(half, ops);
    expect(rows).toEqual(expected);
    expect(count).toBe(expected.length);
    expect(await stores.rows.standing(plan, 'n2')).toMatchObject({ count, ended: true });
  });

  test('of no rows: one in all, with nothing in it; no group; no single one', async () => {
    const none = { filter: [{ field: 'id', op: '=', value: 0 } as const] };
    const aggregate = [
      { name: 'n', does: 'count' },
      { name: 's', does: 'sum', field: 'id' },
      { name: 'm', does: 'max', field: 'id' },
      { name: 'a', does: 'avg', field: 'id' },
    ] as const;
    expect((await pipe(half, [none, { group_by: [], aggregate: [...aggregate] }])).rows).toEqual([
      { n: 0, s: 0, m: null, a: null },
    ]);
    expect((await pipe(half, [none, { group_by: ['kind'], aggregate: [...aggregate] }])).rows).toEqual([]);
    expect((await failure(pipe(half, [none, { singleton: true }]))).message).toBe(
      'singleton() is for one row, and there is none',
    );
    expect((await failure(pipe(half, [{ singleton: true }]))).message).toBe(
      'singleton() is for one row, and there are more',
    );
  });

  test('missing values count for nothing; texts that are numbers do, and others are told', async () => {
    const given: Row[] = [{ v: '10' }, { v: 9 }, {}, { v: null }];
    const aggregate = [
      { name: 'n', does: 'count' as const },
      { name: 's', does: 'sum' as const, field: 'v' },
      { name: 'a', does: 'avg' as const, field: 'v' },
      { name: 'm', does: 'max' as const, field: 'v', type: 'number' as const },
    ];
    expect((await pipe([given], [{ group_by: [], aggregate }])).rows).toEqual([{ n: 4, s: 19, a: 9.5, m: '10' }]);
    const { message, final } = await failure(pipe([[...given, { v: 'n/a' }]], [{ group_by: [], aggregate }]));
    expect({ message, final }).toEqual({ message: 'sum(v): "n/a" is no number; filter such rows out', final: true });
  });

  test('more groups than can be held are told', async () => {
    const thrown = await failure(
      grouped(batches(rows), ['id'], [{ name: 'n', does: 'count' }], { groups: 10, bytes: 1_000 }),
    );
    expect(thrown.message).toMatch(/^group_by\(id\) makes more than 10 groups/);
    expect(thrown.final).toBe(true);
    await expect(grouped(batches(rows), ['id'], [], { groups: 100, bytes: 10 })).rejects.toThrow('group_by(id)');
  });

  test('nulls in groups are one', async () => {
    const { rows } = await pipe(
      [[{ k: null }, {}, { k: 1 }, { k: '1' }]],
      [{ group_by: ['k'], aggregate: [{ name: 'n', does: 'count' }] }],
    );
    expect(rows).toEqual([
      { k: null, n: 2 },
      { k: 1, n: 1 },
      { k: '1', n: 1 },
    ]);
  });

  test('many rows are kept in several chunks; any of them can be read by their place', async () => {
    const many = Array.from({ length: 20_000 }, (_, i) => ({ id: i, text: 'x'.repeat(40) }));
    const { plan, chunks, rows, outputs } = await pipe(
      [many.slice(0, 9_000), many.slice(9_000)],
      [{ sort: [{ field: 'id', desc: true }] }],
      { input: { inline_limit: 500 } },
    );
    expect(chunks.length).toBeGreaterThan(3);
    expect(rows.map(({ id }) => id)).toEqual(many.map(({ id }) => id).reverse());
    expect(outputs.chunks).toHaveProperty('$stored');
    expect((await stores.rows.read(plan, chunks, 19_998, 10)).map(({ id }) => id)).toEqual([1, 0]);
    expect((await stores.rows.read(plan, chunks, 4_000, 2)).map(({ id }) => id)).toEqual([15_999, 15_998]);
    expect(await stores.rows.read(plan, chunks, 0, 0)).toEqual([]);
    expect(await stores.rows.read(plan, chunks, 20_000, 5)).toEqual([]);
  });
});
