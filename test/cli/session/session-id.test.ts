import { expect, test } from 'vitest';
import { newSessionId } from '../../../src/cli/session/session-id.ts';

const NOW = new Date(2026, 0, 31, 9, 5);

test.each([
  ['Release', '2026-01-31-0905-release-'],
  ['Nightly build, of all that there is here', '2026-01-31-0905-nightly-build-of-all-tha-'],
  ['Über/../wége', '2026-01-31-0905-u-ber-we-ge-'],
  ['😀', '2026-01-31-0905-plan-'],
])('%s: its time, what it is called, and five characters', (name, begin) => {
  const id = newSessionId(name, NOW);
  expect(id.slice(0, -5)).toBe(begin);
  expect(id.slice(-5)).toMatch(/^[2-9a-hjkmnp-tv-z]{5}$/);
});

test('no two are the same, though made in one moment', () => {
  const ids = Array.from({ length: 200 }, () => newSessionId('x', NOW));
  expect(new Set(ids).size).toBe(200);
});
