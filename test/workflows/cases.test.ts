import { readFileSync, writeFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { checkPromises } from '../support/promises.ts';
import { caller, startWorld, until, witness } from '../support/world.ts';

let world: Awaited<ReturnType<typeof startWorld>>;
beforeAll(async () => {
  world = await startWorld();
});
afterAll(async () => {
  await world.stop();
});

const answer = (id: string, question: string, more: object) => world.command(id, 'answer', { question, ...more });
const promisesOf = (planId: string, more = {}) =>
  checkPromises({ client: world.client, orgId: 'local', planId, ...more });

test('a pause during back-off holds the next attempt back; after it there are as many as were said (case 1)', async () => {
  const w = witness();
  const id = await world.create(
    `plan: 1\nname: c\ntasks:\n  flaky: { run: "${w.mark('flaky')}; exit 1", retry: { max_attempts: 3, delay: 1s, backoff: 1 } }\n`,
  );
  await world.reaches(id, 'stand_by');
  await world.command(id, 'pause');
  await delay(2_500);
  expect(w.n('flaky')).toBe(1);
  await world.command(id, 'resume');
  await world.reaches(id, 'failed');
  expect(w.n('flaky')).toBe(3);
});

test.each([1_900_000, 2_100_000])(
  'an output of %i bytes, and forty of 100 kB into one, wedge nothing (case 5)',
  async (bytes) => {
    const many = Array.from(
      { length: 40 },
      (_, i) => `  m${i}: { run: "head -c 100000 /dev/zero | tr '\\\\0' ${String.fromCharCode(97 + (i % 26))}" }`,
    );
    const sum = many.map((_, i) => `\${{ tasks.m${i}.outputs.stdout }}`).join('');
    const id = await world.create(`
plan: 1
name: big
tasks:
  big: { run: "head -c ${bytes} /dev/zero | tr '\\\\0' x" }
  use: { needs: [big], run: "printf %s \${{ tasks.big.outputs.stdout }} | wc -c" }
${many.join('\n')}
  sum: { needs: [${many.map((_, i) => `m${i}`).join()}], run: "printf %s ${sum} | wc -c" }
`);
    const view = await world.reaches(id, 'completed', 30_000);
    expect((await world.task(id, 'use')).outputs).toMatchObject({ stdout: String(bytes) });
    expect((await world.task(id, 'sum')).outputs).toMatchObject({ stdout: '4000000' });
    expect(JSON.stringify(view).length).toBeLessThan(100_000);
  },
);

test('a question that nobody answered in time is closed, says how, and is opened afresh by a retry (case 19)', async () => {
  const w = witness();
  const id = await world.create(`
plan: 1
name: late
tasks:
  ok: { approve: { prompt: Go?, timeout: 500ms, on_timeout: reject } }
  b: { needs: [ok], run: "${w.mark('b')}" }
`);
  const { error } = await world.reaches(id, 'failed');
  expect(error).toMatchObject({
    code: 'QUESTION_TIMED_OUT',
    message: expect.stringMatching(/^expired at .*, outcome reject$/),
  });
  await expect(answer(id, 'ok.1', { choice: 'approve' })).rejects.toMatchObject({
    code: 'QUESTION_CLOSED',
  });
  await world.service.nextRun(caller, id, { mode: 'retry' });
  const view = await until('it asks again', async () => {
    const view = await world.read(id);
    return view.questions.length > 0 && view;
  });
  expect(view.questions[0]!.id).toBe('ok.2');
  expect(Date.parse(view.questions[0]!.expires_at!)).toBeGreaterThan(Date.now() - 200);
  await expect(answer(id, 'ok.1', { choice: 'approve' })).rejects.toMatchObject({ code: 'QUESTION_CLOSED' });
  await world.reaches(id, 'failed');
  expect(w.n('b')).toBe(0);
});

test('wrong values are refused by field, and nothing before the question runs again (case 20)', async () => {
  const w = witness();
  const id = await world.create(`
plan: 1
name: ask
tasks:
  mail: { run: "${w.mark('mails')}" }
  q1: { needs: [mail], input: { prompt: Age?, form: { age: { type: integer } } } }
  q2: { needs: [q1], input: { prompt: City?, form: { city: { type: string } } } }
  end: { needs: [q2], run: "echo \${{ tasks.q1.outputs.values.age }} \${{ tasks.q2.outputs.values.city }}" }
`);
  await world.reaches(id, 'awaiting_input');
  for (const age of ['abc', '0x20'])
    await expect(answer(id, 'q1', { values: { age } })).rejects.toMatchObject({
      code: 'ANSWER_INVALID',
      message: expect.stringContaining('values.age'),
    });
  await answer(id, 'q1', { values: { age: 41 } });
  await world.stopWorker();
  await world.startWorker();
  const view = await until('the second question is open', async () => {
    const view = await world.read(id);
    return view.questions[0]?.id === 'q2.1' && view;
  });
  expect(view.questions).toHaveLength(1);
  await answer(id, 'q2', { values: { city: 'Oslo' } });
  await world.reaches(id, 'completed');
  expect((await world.task(id, 'end')).outputs).toMatchObject({ stdout: '41 Oslo' });
  expect(w.n('mails')).toBe(1);
});

test('a storm of commands fills the history, it is handed over, and every command is there once (case 21, case 22)', async () => {
  const w = witness();
  const steps = Array.from(
    { length: 150 },
    (_, i) => `  t${i}: { ${i ? `needs: [t${i - 1}], ` : ''}run: "${w.mark(`t${i}`)}" }`,
  );
  const id = await world.create(`
plan: 1
name: storm
tasks:
  ok: { approve: Go on? }
${steps.join('\n')}
  last: { needs: [ok, t149], run: "true" }
`);
  const told: { request_id: string; result: string }[] = [];
  let n = 0;
  const send = async (name: 'pause' | 'resume' | 'hold' | 'release', more = {}) => {
    n += 1;
    const request_id = `storm-${n}`;
    const { result } = await world.service
      .command(caller, id, name, { request_id, ...more })
      .catch(() => ({ result: 'refused' }));
    told.push({ request_id, result });
  };
  // Bursts, and pairs in between, until the history has been handed over.
  const runs = async () => {
    const seen = new Set<string>();
    const query = `WorkflowId = 'plan/local/${id}'`;
    for await (const { runId } of world.client.workflow.list({ query })) seen.add(runId);
    return seen.size;
  };
  for (let round = 0; round < 100 && (await runs()) <= 1; round++) {
    await Promise.all(Array.from({ length: 60 }, (_, k) => send(k % 2 === 0 ? 'hold' : 'release', { task: 'last' })));
    await send('pause');
    await send('resume');
  }
  expect(await runs()).toBeGreaterThan(1);
  await world.command(id, 'release', { task: 'last' }).catch(() => undefined);
  await world.command(id, 'resume').catch(() => undefined);
  await until('the chain is through', () => w.n('t149') === 1, 60_000);
  await world.command(id, 'approve');
  await world.reaches(id, 'completed');
  const taken = told.filter(({ result }) => result !== 'refused' && result !== 'pending');
  const events = await world.service.events(caller, id, 0);
  const shown = events.filter(({ type }) => ['PlanPaused', 'PlanResumed', 'TaskHeld', 'TaskReleased'].includes(type));
  expect(shown.length).toBeGreaterThanOrEqual(taken.length);
  expect(Array.from({ length: 150 }, (_, i) => w.n(`t${i}`)).every((count) => count === 1)).toBe(true);
  expect(await promisesOf(id)).toEqual([]);
}, 180_000);

test('waiting and being read cost no history (case 22)', async () => {
  const id = await world.create('plan: 1\nname: idle\ntasks:\n  ok: { approve: Go? }\n');
  await world.reaches(id, 'awaiting_input');
  const before = (await world.history(id)).length;
  for (let i = 0; i < 50; i++) await world.read(id);
  expect((await world.history(id)).length).toBe(before);
  await world.command(id, 'stop');
});

test('stop during back-off is at once, and the next attempt never comes (case 35)', async () => {
  const w = witness();
  const id = await world.create(
    `plan: 1\nname: s\ntasks:\n  f: { run: "${w.mark('f')}; exit 1", retry: { max_attempts: 5, delay: 1s } }\n  g: { needs: [f], run: "${w.mark('g')}" }\n`,
  );
  await world.reaches(id, 'stand_by');
  await world.command(id, 'stop');
  await world.reaches(id, 'stopped', 1_000);
  await delay(2_000);
  expect([w.n('f'), w.n('g')]).toEqual([1, 0]);
});

test('a retried plan shows the face of its present run, and runs its handlers each time (case 36)', async () => {
  const w = witness();
  const id = await world.create(`
plan: 1
name: face
on_failure: { run: "echo F >> ${w.path('note')}" }
on_success: { run: "echo S >> ${w.path('note')}" }
tasks:
  a: { run: "true" }
  b: { needs: [a], run: "sleep 0.3; test -f ${w.path('ok')}" }
  c: { needs: [b], run: "true" }
`);
  await world.reaches(id, 'failed');
  await world.service.nextRun(caller, id, { mode: 'retry' });
  const running = await until('it runs again', async () => {
    const view = await world.read(id);
    return view.state.status === 'executing' && view;
  });
  expect(running).toMatchObject({ error: null, run: 2 });
  await world.reaches(id, 'failed');
  writeFileSync(w.path('ok'), '');
  await world.service.nextRun(caller, id, { mode: 'resume' });
  const view = await until('it completes', async () => {
    const view = await world.read(id);
    return view.state.status === 'completed' && view;
  });
  expect(view).toMatchObject({ error: null, run: 3 });
  expect(readFileSync(w.path('note'), 'utf8').split('\n').filter(Boolean)).toEqual(['F', 'F', 'S']);
  const events = await world.service.events(caller, id, 0);
  expect(events.filter(({ type }) => type === 'PlanFailed')).toHaveLength(2);
  expect(await promisesOf(id)).toEqual([]);
});

test('skipped tasks leave nothing waiting, and a skipped gate asks nobody (case 37)', async () => {
  const id = await world.create(`
plan: 1
name: skip
tasks:
  s: { if: "false", run: "true" }
  k: { run: "true" }
  j: { needs: [s, k], run: "true" }
  g: { if: "false", approve: Go? }
  h: { needs: [g], run: "true" }
`);
  const view = await world.reaches(id, 'completed');
  expect(view.tasks.map(({ id, status, reason }) => [id, status, reason])).toEqual([
    ['s', 'skipped', 'its condition is false: false'],
    ['k', 'succeeded', undefined],
    ['j', 'skipped', 's was skipped'],
    ['g', 'skipped', 'its condition is false: false'],
    ['h', 'skipped', 'g was skipped'],
  ]);
  const events = await world.service.events(caller, id, 0);
  expect(events.some(({ type }) => type === 'QuestionOpened')).toBe(false);
  expect(events.at(-1)!.totals).toMatchObject({ succeeded: 1, skipped: 4, failed: 0 });
});

test('a pause with no worker there counts from when it was given: the question is open when one is back', async () => {
  const id = await world.create(
    'plan: 1\nname: away\ntasks:\n  ok: { approve: { prompt: Go?, timeout: 4s, on_timeout: reject } }\n',
  );
  await world.reaches(id, 'awaiting_input');
  await delay(500);
  await world.stopWorker();
  const { result } = await world.service.command(caller, id, 'pause');
  expect(result).toBe('pending');
  await delay(5_000);
  await world.startWorker();
  const view = await world.reaches(id, 'paused', 10_000);
  expect(view.questions).toMatchObject([{ id: 'ok.1' }]);
  await answer(id, 'ok.1', { choice: 'approve' });
  await world.command(id, 'resume').catch(() => undefined);
  await world.reaches(id, 'completed');
});
