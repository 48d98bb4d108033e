import { expect, test } from 'vitest';
import { type Limits, NO_LIMITS } from '../../src/plan/ledger.ts';
import { fakeCli } from './fake-cli.ts';

const spent = { tokens: 12_345, cost: 0.5, reserved: { tokens: 0, cost: 0 }, date: '2026-01-15' };
function service() {
  const changes: Partial<Limits>[] = [];
  const view = (change: Partial<Limits> = {}) => {
    const limits = { ...NO_LIMITS, maxTokensPerChat: 350_000, ...change };
    return { ...limits, limits, spent: { today: spent } };
  };
  const cli = fakeCli({
    service: {
      limits: async () => view(),
      async setLimits(_caller, change) {
        changes.push(change);
        return view(change);
      },
    },
  });
  return { ...cli, changes };
}

test('without options they are shown, with what was spent today', async () => {
  const { run, out, changes } = service();
  expect(await run('limits')).toBe(0);
  expect([changes, out]).toEqual([
    [],
    [
      'LIMIT             AT MOST  SPENT TODAY',
      'tokens per day    none     12,345',
      'cost per day      none     0.5',
      'tokens per chat   350,000',
      'cost per project  none',
    ],
  ]);
});

test('those that are named are changed; none lifts one', async () => {
  const { run, out, changes } = service();
  expect(await run('limits', '--max-tokens-per-chat', 'none', '--max-cost-per-day', '2.5', '--json')).toBe(0);
  expect(changes).toEqual([{ maxTokensPerChat: null, maxCostPerDay: 2.5 }]);
  expect(JSON.parse(out.join('\n'))).toMatchObject({ maxTokensPerChat: null, maxCostPerDay: 2.5 });
});

test.each([
  ['--max-tokens-per-day', 'many'],
  ['--max-tokens-per-chat', '-5'],
  ['--max-cost-per-day', '1e3'],
])('%s %s is refused, by its name', async (option, text) => {
  const { run, err, changes } = service();
  expect(await run('limits', option, text)).toBe(2);
  expect(err).toEqual([`holdpoint: ${option} "${text}": give a number, 0 or more, or none`]);
  expect(changes).toEqual([]);
});
