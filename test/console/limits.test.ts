import { expect, test } from 'vitest';
import { hasStrayComma, limitIn } from '../../src/console/usage/amounts.ts';
import { isEnough } from '../../src/console/usage/reached.ts';

test('a comma parts thousands, and is no decimal point', () => {
  expect(limitIn('1,234.5', 'cost')).toBe(1234.5);
  expect(limitIn('350,000', 'tokens')).toBe(350_000);
  expect(limitIn('1 000 000', 'tokens')).toBe(1_000_000);
  expect(limitIn(' ', 'cost')).toBe(null);
  for (const text of ['0,50', '1,5', '1,23,456', '1234,567', '1.234,56', ',5', '12,', '1,000,00']) {
    expect(limitIn(text, 'cost')).toBe(undefined);
    expect(hasStrayComma(text)).toBe(true);
  }
  expect(hasStrayComma('0.5')).toBe(false);
});

test('a limit is enough when it has room for the call that it refused', () => {
  const field = { name: 'maxTokensPerChat', words: '', unit: 'tokens', least: 0 } as const;
  const reached = { limit: 'chat', max: 8_000, needed: 7_000, unit: 'tokens' } as const;
  const is = (max: number | null, spent: number | undefined, reserved = 0) =>
    isEnough({ ...field, max, spent, reserved }, reached);
  expect(is(9_000, 3_000)).toBe(false);
  expect(is(10_000, 3_000)).toBe(true);
  expect(is(10_000, 3_000, 1)).toBe(false);
  expect(is(null, 3_000)).toBe(true);
  expect(is(8_000, undefined)).toBe(false);
  expect(is(8_001, undefined)).toBe(true);
});
