import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { FULL } from '../chaos/campaign.ts';
import { startWorld } from '../support/world.ts';

let world: Awaited<ReturnType<typeof startWorld>>;
beforeAll(async () => {
  world = await startWorld();
});
afterAll(async () => {
  await world.stop();
});

const spin = (rounds: number): number => {
  let sum = 0;
  for (let i = 0; i < rounds; i++) sum += i % 7;
  return sum;
};

/** The suite's workflow code, which takes its time to end, after an `await`: the clock stands still in workflow code, so rounds are counted. */
function slowCode(ms: number): string {
  const began = performance.now();
  spin(100_000_000);
  const rounds = Math.round((100_000_000 * ms) / (performance.now() - began));
  const code = readFileSync(inject('bundle'), 'utf8');
  const changed = code.replace(/(async function closePlan\(input, driver\) \{)/, `$1 (${spin.toString()})(${rounds});`);
  expect(changed).not.toBe(code);
  const path = join(world.home, 'slow-bundle.js');
  writeFileSync(path, changed);
  return path;
}

test.runIf(FULL)(
  'workflow code that takes longer than any machine should does not end the process it runs in',
  async () => {
    await world.stopWorker();
    await world.startWorker(slowCode(8_000));
    const id = await world.create('plan: 1\nname: slow\ntasks:\n  a: { run: "true" }\n');
    await delay(12_000);
    await world.stopWorker();
    await world.startWorker();
    await world.reaches(id, 'completed', 40_000);
  },
  120_000,
);
