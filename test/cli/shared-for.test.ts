import { expect, test } from 'vitest';
import { sharedFor } from '../../src/cli/shared-for.ts';

function counted(fail = false) {
  const counts = { opened: 0, closed: 0 };
  return {
    counts,
    async open() {
      counts.opened += 1;
      if (fail) throw new Error('closed today');
      return {
        async close() {
          counts.closed += 1;
        },
      };
    },
  };
}
const later = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));

test('work at the same time shares one, which the last closes', async () => {
  const { counts, open } = counted();
  const using = sharedFor(1_000, open);
  await Promise.all([10, 30, 20].map((ms) => using(() => later(ms))));
  expect(counts).toEqual({ opened: 1, closed: 1 });
  await using(async () => {});
  expect(counts).toEqual({ opened: 2, closed: 2 });
});

test('work that comes later has one of its own', async () => {
  const { counts, open } = counted();
  const using = sharedFor(20, open);
  const long = using(() => later(100));
  await later(40);
  await using(async () => {});
  expect(counts).toEqual({ opened: 2, closed: 1 });
  await long;
  expect(counts.closed).toBe(2);
});

test('what cannot be opened, or fails, is told to each', async () => {
  const { counts, open } = counted(true);
  const using = sharedFor(1_000, open);
  const all = await Promise.allSettled([using(later.bind(null, 1)), using(later.bind(null, 1))]);
  expect(all.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  await expect(using(async () => {})).rejects.toThrow('closed today');
  expect(counts).toEqual({ opened: 2, closed: 0 });
  const fine = counted();
  await expect(sharedFor(1_000, fine.open)(() => Promise.reject(new Error('no')))).rejects.toThrow('no');
  expect(fine.counts).toEqual({ opened: 1, closed: 1 });
});
