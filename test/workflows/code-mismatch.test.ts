import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { ENGINE_QUEUE } from '../../src/contract/names.ts';
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

/** Of three plans in flight: one at a question, one paused in its back-off, one in the middle of ten tasks. */
const PLANS = {
  gate: (w: Witness) =>
    `  a: { run: "${w.mark('a')}" }\n  ok: { needs: [a], approve: "Go on?" }\n  b: { needs: [ok], run: "${w.mark('b')}" }\n`,
  backOff: (w: Witness) =>
    `  f: { run: "${w.mark('f')}; test -f ${w.path('ok')}", retry: { max_attempts: 3, delay: 500ms } }\n  b: { needs: [f], run: "${w.mark('b')}" }\n`,
  middle: (w: Witness) =>
    Array.from({ length: 10 }, (_, i) => {
      const gate = i === 5 ? `; until test -f ${w.path('ok')}; do sleep 0.05; done` : '';
      return `  t${i}: { needs: [${i ? `t${i - 1}` : ''}], run: "${w.mark(`t${i}`)}${gate}" }\n`;
    }).join(''),
};
type Witness = ReturnType<typeof witness>;
const create = (name: keyof typeof PLANS, w: Witness) =>
  world.create(`plan: 1\nname: ${name}\ntasks:\n${PLANS[name](w)}`);

test('a code mismatch shows as stuck, with the reason; back on their own code all plans end well (case 40)', async () => {
  const [atGate, inBackOff, inMiddle] = [witness(), witness(), witness()];
  const gate = await create('gate', atGate);
  const backOff = await create('backOff', inBackOff);
  const middle = await create('middle', inMiddle);
  const { questions } = await world.reaches(gate, 'awaiting_input');
  await world.reaches(backOff, 'stand_by');
  await world.service.command(caller, backOff, 'pause');
  await until('the middle is reached', () => inMiddle.n('t5') === 1);
  await world.stopWorker();
  await world.startWorker(otherCode());
  // A worker that has just loaded its code may be too late for the first step it is given.
  await world.reaches(await world.create('plan: 1\nname: first\ntasks:\n  a: { run: "true" }\n'), 'failed');
  const answered = world.service.command(caller, gate, 'answer', { question: questions[0]!.id, choice: 'approve' });
  answered.catch(() => {});
  world.service.command(caller, backOff, 'resume').catch(() => {});
  for (const path of [inBackOff.path('ok'), inMiddle.path('ok')]) writeFileSync(path, '');
  const told: string[] = [];
  for (const id of [gate, backOff, middle]) {
    const view = await until(
      'it is stuck',
      async () => {
        const now = await world.read(id);
        return now.stuck !== undefined && now;
      },
      60_000,
    );
    expect(view.stuck).toMatch(/^(code mismatch: |no worker gets through its next step)/);
    told.push(view.stuck!);
    expect(view.freshness).toMatchObject({ live: false, message: expect.stringContaining(`stuck: ${view.stuck}`) });
  }
  // A step may have fallen to the worker that was just stopped: of that only the number of its tries is known.
  expect(told.join()).toContain('code mismatch: ');
  await world.stopWorker();
  await world.startWorker();
  for (const id of [gate, backOff, middle]) await world.reaches(id, 'completed', 90_000);
  expect(['a', 'b'].map(atGate.n)).toEqual([1, 1]);
  expect(['f', 'b'].map(inBackOff.n)).toEqual([2, 1]);
  // What ran while the worker was stopped was lost with it, and ran again.
  expect(Array.from({ length: 10 }, (_, i) => inMiddle.n(`t${i}`))).toEqual([1, 1, 1, 1, 1, 2, 1, 1, 1, 1]);
}, 300_000);

test('a step that was first given to a worker that died, and then to other code, shows as stuck by how often it was tried', async () => {
  const w = witness();
  const id = await create('gate', w);
  const { questions } = await world.reaches(id, 'awaiting_input');
  await world.stopWorker();
  const taken = world.client.withDeadline(Date.now() + 30_000, () =>
    world.client.workflowService.pollWorkflowTaskQueue({
      namespace: 'default',
      taskQueue: { name: ENGINE_QUEUE },
      identity: 'one that dies',
    }),
  );
  const answered = world.service.command(caller, id, 'answer', { question: questions[0]!.id, choice: 'approve' });
  answered.catch(() => {});
  expect((await taken).workflowExecution?.workflowId).toBe(world.handle(id).workflowId);
  await world.startWorker(otherCode());
  const { stuck } = await until(
    'it is stuck',
    async () => {
      const now = await world.read(id);
      return now.stuck !== undefined && now;
    },
    60_000,
  );
  expect(stuck).toMatch(/^no worker gets through its next step, tried \d times/);
  await world.stopWorker();
  await world.startWorker();
  await world.reaches(id, 'completed', 60_000);
  expect(['a', 'b'].map(w.n)).toEqual([1, 1]);
}, 180_000);
