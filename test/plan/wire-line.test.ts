import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  COALESCE_MS,
  type LineParts,
  type OpMeta,
  opOf,
  PHASES,
  SIGILS,
  tellAt,
  wireLine,
} from '../../src/plan/wire-line.ts';

const cases: [LineParts, string, Omit<OpMeta, 'n'>][] = [
  [{ is: 'accepted', commit_ref: 'pc2', review: true }, '`s0_o4` + pc2 review', { '+': 1, c: 'pc2' }],
  [{ is: 'accepted' }, '`s0_o4` +', { '+': 1 }],
  [
    { is: 'running', step: 3, total: 6, label: 'cities', rows: 120 },
    '`s0_o4` ~ 3/6 cities 120r',
    { '~': 1, s: '3/6', l: 'cities', r: 120 },
  ],
  [
    { is: 'running', step: 0, total: 6, label: 'cities', rows: 0 },
    '`s0_o4` ~ 1/6 cities',
    { '~': 1, s: '1/6', l: 'cities' },
  ],
  [{ is: 'running' }, '`s0_o4` ~', { '~': 1 }],
  [
    { is: 'unchanged', step: 3, total: 6, label: 'cities', rows: 120 },
    '`s0_o4` = 3/6 cities 120r',
    { '=': 1, s: '3/6', r: 120 },
  ],
  [{ is: 'succeeded', rows: 480 }, '`s0_o4` ! 480r', { '!': 1, r: 480 }],
  [{ is: 'succeeded', rows: 0 }, '`s0_o4` !', { '!': 1 }],
  [{ is: 'cancelled', rows: 120 }, '`s0_o4` x 120r', { x: 1, r: 120 }],
  [{ is: 'failed', message: 'source answered 503' }, '`s0_o4` ? source answered 503', { '?': 1 }],
  [{ is: 'failed' }, '`s0_o4` ? failed', { '?': 1 }],
  [{ is: 'failed', message: ' two\r\n\tlines\u0000 ' }, '`s0_o4` ? two lines', { '?': 1 }],
];

describe('a line', () => {
  test.each(cases)('%j', (parts, line, op) => {
    expect(wireLine('s0_o4', parts)).toBe(line);
    expect(opOf(5, parts)).toEqual({ n: 5, ...op });
  });

  test('is one line, however long and odd what it is made of is', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 2_000 }), (message) => {
        for (const parts of [
          { is: 'failed', message },
          { is: 'running', step: 1, total: 2, label: message },
        ] as const) {
          const line = wireLine('s0_o1', parts);
          expect(line).toMatch(/^`s0_o1` [?~]( .*)?$/s);
          expect(line).not.toMatch(/[\r\n\u2028\u2029]/);
          expect([...line].length).toBeLessThan(280);
        }
      }),
    );
  });

  test('has a sigil for each kind, and a phase', () => {
    expect(Object.values(SIGILS).join('')).toBe('+~=!x?');
    expect(Object.keys(PHASES)).toEqual(Object.keys(SIGILS));
  });
});

describe('coalescing', () => {
  const told = { at: 1_000, rows: 50 };
  const when: [string, Parameters<typeof tellAt>, number | undefined][] = [
    ['a step that has told nothing tells at once, also of no rows', [undefined, 0, 7], 7],
    ['no more rows: nothing', [told, 50, 99_000], undefined],
    ['more rows soon after: two seconds after the last', [told, 60, 1_500], 3_000],
    ['more rows long after: now', [told, 60, 8_000], 8_000],
  ];
  test.each(when)('%s', (_, given, expected) => expect(tellAt(...given)).toBe(expected));

  test('whatever comes when, rows are told at most every two seconds, and the last of them in the end', () => {
    const steps = fc.array(fc.record({ after: fc.nat(1_500), more: fc.nat(3) }), { maxLength: 60 });
    fc.assert(
      fc.property(steps, (given) => {
        const lines: { at: number; rows: number }[] = [];
        let now = 0;
        let rows = 0;
        for (const { after, more } of [...given, { after: COALESCE_MS, more: 0 }]) {
          now += after;
          rows += more;
          const at = tellAt(lines.at(-1), rows, now);
          if (at !== undefined && at <= now) lines.push({ at: now, rows });
        }
        for (let i = 1; i < lines.length; i++)
          expect(lines[i]!.at - lines[i - 1]!.at).toBeGreaterThanOrEqual(COALESCE_MS);
        expect(lines.at(-1)!.rows).toBe(rows);
      }),
    );
  });
});
