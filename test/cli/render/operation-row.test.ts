import pc from 'picocolors';
import { expect, test } from 'vitest';
import { signsFor } from '../../../src/cli/live/signs.ts';
import { operationRow } from '../../../src/cli/render/operation-row.ts';

const look = {
  now: Date.parse('2026-01-31T09:01:05.000Z'),
  begun: Date.parse('2026-01-31T09:01:00.000Z'),
  signs: signsFor({ TERM: 'linux' }),
  colours: pc.createColors(false),
};

test('an operation at work: its step, name, rows, and for how long, also before this was watched', () => {
  const op = { n: 3, '~': 1 as const, s: '2/4', l: 'cities', r: 12_345 };
  expect(operationRow('s0_o1', { op, accepted_at: '2026-01-31T09:00:00.000Z' }, look)).toBe(
    '/  s0_o1  ###---------  2/4  cities  12,345 rows  1m5s  Ctrl+C leaves it running',
  );
});

test('what is not known yet is left out', () => {
  expect(operationRow('s0_o1', undefined, look)).toBe('/  s0_o1  5s  Ctrl+C leaves it running');
});
