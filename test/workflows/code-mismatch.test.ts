import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { caller, startWorld, until, witness } from '../support/world.ts';

let world: Awaited<ReturnType<typeof startWorld>>;
beforeAll(async () => {
  world = await startWorld();
});
afterAll(async () => {
  await world.stop();
});

/** The suite's workflow code, changed in a way that histories do not allow. */
function otherCode(): string {
  const code = readFileSync(inject('bundle'), 'utf8');
  const changed = code.replace(/(\bscheduleActivity\)?\()(task\.kind)/, '$1`other ${$2}`');
  expect(changed).not.toBe(code);
  const path = join(world.home, 'other-bundle.js');
  writeFileSync(path, changed);
  return path;
}

// Case 40.
test('a code mismatch shows as stuck, with the reason; back on its own code the plan ends well', async () => {
  const w = witness();
  const id = await world.create(
    `plan: 1\nname: upgrade\ntasks:\n  a: { run: "${w.mark('a')}" }\n  ok: { needs: [a], approve: "Go on?" }\n  b: { needs: [ok], run: "${w.mark('b')}" }\n`,
  );
  const { questions } = await world.reaches(id, 'awaiting_input');
  await world.stopWorker();
  await world.startWorker(otherCode());
  const answered = world.service.command(caller, id, 'answer', { question: questions[0]!.id, choice: 'approve' });
  answered.catch(() => {});
  const began = Date.now();
  const view = await until('it is stuck', async () => {
    const now = await world.read(id);
    return now.stuck !== undefined && now;
  });
  expect(view.stuck).toMatch(/^code mismatch: /);
  expect(view.freshness).toMatchObject({ live: false, message: expect.stringContaining('stuck: code mismatch') });
  expect(Date.now() - began).toBeLessThan(20_000);
  await world.stopWorker();
  await world.startWorker();
  await world.reaches(id, 'completed', 40_000);
  expect([w.n('a'), w.n('b')]).toEqual([1, 1]);
});
