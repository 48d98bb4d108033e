import { existsSync, readFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { isRunning } from '../support/processes.ts';
import { caller, startWorld, until, witness } from '../support/world.ts';

let world: Awaited<ReturnType<typeof startWorld>>;
beforeAll(async () => {
  world = await startWorld();
});
afterAll(async () => {
  await world.stop();
});

const command = (id: string, name: 'pause' | 'resume' | 'stop' | 'approve', more = {}) => world.command(id, name, more);
const refusal = (code: string) => expect.objectContaining({ code });

test('tasks run in order, and their outputs reach those that need them, quoted for the shell', async () => {
  const id = await world.create(`
plan: 1
name: order
inputs: { who: { type: string, default: "O'Brien; rm -rf /" } }
tasks:
  a: { run: "echo hello" }
  n: { needs: [a], set: { text: "\${{ tasks.a.outputs.stdout + '!' }}" } }
  b: { needs: [n], run: "echo \${{ inputs.who }} says \${{ tasks.n.outputs.text }}" }
`);
  await world.reaches(id, 'completed');
  expect((await world.task(id, 'b')).outputs).toEqual({ stdout: "O'Brien; rm -rf / says hello!", exit_code: 0 });
});

test('a failed command tells its exit code and last words', async () => {
  const id = await world.create('plan: 1\nname: f\ntasks:\n  a: { run: "echo why >&2; exit 3" }\n');
  const view = await world.reaches(id, 'failed');
  expect(view.error).toMatchObject({ task: 'a', message: 'exit code 3: why' });
});

test('the first line that fails ends a script', async () => {
  const id = await world.create('plan: 1\nname: f\ntasks:\n  a:\n    run: |\n      false\n      echo on\n');
  expect((await world.reaches(id, 'failed')).error?.message).toBe('exit code 1');
});

test('a command that reads its input gets the end of it at once (case 25)', async () => {
  const id = await world.create(
    'plan: 1\nname: f\ntasks:\n  c: { run: "cat; read x || true; echo got:$x" }\n  d: { needs: [c], run: echo ok }\n',
  );
  await world.reaches(id, 'completed', 5_000);
  expect((await world.task(id, 'c')).outputs).toMatchObject({ stdout: 'got:' });
});

test('an output of 5 MB goes by reference, and is whole where it is used (case 5)', async () => {
  const id = await world.create(`
plan: 1
name: big
tasks:
  big: { run: "head -c 5000000 /dev/zero | tr '\\\\0' x" }
  use: { needs: [big], run: "echo -n \${{ tasks.big.outputs.stdout }} | wc -c" }
`);
  await world.reaches(id, 'completed');
  expect((await world.task(id, 'use')).outputs).toMatchObject({ stdout: '5000000' });
  expect((await world.task(id, 'big')).outputs).toMatchObject({ stdout: { $stored: { bytes: 5_000_000 } } });
  for (const event of await world.history(id)) expect(JSON.stringify(event).length).toBeLessThan(20_000);
});

test('bytes that are no UTF-8 do not fail a task, and characters are not cut', async () => {
  const id = await world.create(`plan: 1
name: raw
tasks:
  raw: { run: "printf 'caf\\\\351 '; exit 0" }
  split: { run: "printf '\\\\342'; sleep 0.1; printf '\\\\211'; sleep 0.1; printf '\\\\244'" }
`);
  await world.reaches(id, 'completed');
  expect((await world.task(id, 'split')).outputs).toMatchObject({ stdout: '≤'.replace('≤', '\u2264') });
});

test('retries are made by the workflow, one activity each, and counted', async () => {
  const w = witness();
  const id = await world.create(
    `plan: 1\nname: r\ntasks:\n  f: { run: "${w.mark('f')}; test $(wc -l < ${w.path('f')}) -ge 3", retry: { max_attempts: 5, delay: 50ms } }\n`,
  );
  await world.reaches(id, 'completed');
  expect(w.n('f')).toBe(3);
  const ids = (await world.history(id)).flatMap(
    (event) => event.activityTaskScheduledEventAttributes?.activityId ?? [],
  );
  expect(ids).toEqual(['f#1.1', 'f#2.1', 'f#3.1']);
});

test('a time-out ends the whole process group, and counts as an attempt (case 3)', async () => {
  const w = witness();
  const id = await world.create(
    `plan: 1\nname: t\ntasks:\n  tree: { run: "bash -c 'trap \\"\\" TERM; sleep 300 & echo $! > ${w.path('pid')}; wait' ; true", timeout: 300ms }\n`,
  );
  const view = await world.reaches(id, 'failed', 15_000);
  expect(view.error).toMatchObject({ code: 'TASK_TIMED_OUT' });
  expect(isRunning(Number(readFileSync(w.path('pid'), 'utf8')))).toBe(false);
});

test.each([0, 50, 200, 1_500])(
  'a stop %i ms after the start reaches the command, its child and one that ignores TERM (cases 3, 6, 8)',
  async (ms) => {
    const w = witness();
    const id = await world.create(`
plan: 1
name: long
tasks:
  long: { run: "(trap '' TERM; sleep 600) & echo $$ $! > ${w.path('pid')}; sleep 600", retry: { max_attempts: 5, delay: 1s } }
  b: { needs: [long], run: "${w.mark('b')}" }
`);
    await delay(ms);
    expect((await command(id, 'stop')).result).toBe('done');
    const view = await until(
      'it is stopped',
      async () => {
        const view = await world.read(id);
        if (existsSync(w.path('pid')) && view.state.status === 'stopped')
          for (const pid of readFileSync(w.path('pid'), 'utf8').trim().split(' '))
            expect(isRunning(Number(pid))).toBe(false);
        return view.state.status === 'stopped' && view;
      },
      8_000,
    );
    expect(view).toMatchObject({ error: null, stopping: false });
    expect(view.tasks[0]).toMatchObject({
      status: 'cancelled',
      reason: 'stopped by local'.replace('local', caller.principal.name),
    });
    expect(w.n('b')).toBe(0);
  },
);

test('once stopped is shown it is shown for ever, whatever the command still reports (case 9)', async () => {
  const w = witness();
  const id = await world.create(
    `plan: 1\nname: late\ntasks:\n  a: { run: "${w.mark('a')}; trap '' TERM; for i in 1 2 3 4; do sleep 0.3 || true; done; echo done" }\n  b: { needs: [a], run: "${w.mark('b')}" }\n`,
  );
  await until('a runs', () => w.n('a') === 1);
  await command(id, 'stop');
  const seen: string[] = [];
  for (let i = 0; i < 30; i++, await delay(100)) seen.push((await world.read(id)).state.status);
  const first = seen.indexOf('stopped');
  expect(first).toBeGreaterThan(0);
  expect(new Set(seen.slice(first))).toEqual(new Set(['stopped']));
  expect(w.n('b')).toBe(0);
});

test('a pause holds at the task boundary, and resume goes on within moments (case 34)', async () => {
  const w = witness();
  const id = await world.create(
    `plan: 1\nname: p\ntasks:\n  a: { run: "${w.mark('a')}; sleep 0.6" }\n  b: { needs: [a], run: "${w.mark('b')}" }\n`,
  );
  await until('a runs', () => w.n('a') === 1);
  await expect(command(id, 'pause', { strict: true })).rejects.toEqual(refusal('PLAN_INVALID_STATE'));
  expect((await command(id, 'pause')).result).toBe('accepted');
  expect(await world.read(id)).toMatchObject({ state: { status: 'executing' }, pausing: true });
  const paused = await world.reaches(id, 'paused');
  expect(paused.tasks.map(({ status }) => status)).toEqual(['succeeded', 'pending']);
  await delay(300);
  expect(w.n('b')).toBe(0);
  expect((await command(id, 'resume')).result).toBe('done');
  await world.reaches(id, 'completed');
  expect([w.n('a'), w.n('b')]).toEqual([1, 1]);
});

test('of ten simultaneous pauses one is taken and nine are refused', async () => {
  const id = await world.create('plan: 1\nname: g\ntasks:\n  ok: { approve: Go on? }\n');
  await world.reaches(id, 'awaiting_input');
  const answers = await Promise.allSettled(Array.from({ length: 10 }, () => command(id, 'pause')));
  expect(answers.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
  for (const answer of answers)
    if (answer.status === 'rejected') expect(answer.reason).toEqual(refusal('PLAN_INVALID_STATE'));
  await command(id, 'stop');
});

test('of twenty simultaneous decisions one wins, and what it lets through runs once (case 17)', async () => {
  const w = witness();
  const id = await world.create(
    `plan: 1\nname: pay\ntasks:\n  ok: { approve: Pay? }\n  pay: { needs: [ok], run: "${w.mark('paid')}" }\n`,
  );
  await world.reaches(id, 'awaiting_input');
  const choices = Array.from({ length: 20 }, (_, i) => (i % 2 ? 'approve' : 'reject'));
  const answers = await Promise.allSettled(
    choices.map((choice) => world.command(id, 'answer', { question: 'ok', choice })),
  );
  const won = new Set(choices.filter((_, i) => answers[i]!.status === 'fulfilled'));
  expect(won.size).toBe(1);
  const view = await until(
    'it ends',
    async () => ['completed', 'failed'].includes((await world.read(id)).state.status) && world.read(id),
  );
  expect(view.state.status).toBe(won.has('approve') ? 'completed' : 'failed');
  expect(w.n('paid')).toBe(won.has('approve') ? 1 : 0);
});

test('an answer that comes before its question is refused, never taken and then lost (case 18)', async () => {
  for (let trial = 0; trial < 20; trial++) {
    const id = await world.create(
      'plan: 1\nname: early\ntasks:\n  a: { run: "true" }\n  ok: { needs: [a], approve: Go on? }\n',
    );
    await delay(trial * 4);
    const taken = await world.service
      .command(caller, id, 'answer', { question: 'ok', choice: 'approve' })
      .catch((error: unknown) => {
        expect(error).toEqual(refusal('QUESTION_CLOSED'));
        return undefined;
      });
    if (taken) expect((await world.reaches(id, 'completed')).tasks[1]!.answer).toMatchObject({ choice: 'approve' });
    else {
      await world.reaches(id, 'awaiting_input');
      await command(id, 'stop');
    }
  }
});

test('a cancel from Temporal is a stop by its operator', async () => {
  const id = await world.create('plan: 1\nname: c\ntasks:\n  a: { run: sleep 60 }\n');
  await until('a runs', async () => (await world.task(id, 'a')).status === 'running');
  await world.handle(id).cancel();
  const view = await world.reaches(id, 'stopped');
  expect(view.tasks[0]!.reason).toBe('stopped by operator (Temporal)');
  expect((await world.handle(id).describe()).status.name).toBe('FAILED');
});

test('terminated behind our back, it reads as ended from outside', async () => {
  const id = await world.create('plan: 1\nname: c\ntasks:\n  ok: { approve: Go on? }\n');
  await world.reaches(id, 'awaiting_input');
  await delay(1_100);
  await world.handle(id).terminate('by hand');
  const view = await world.read(id);
  expect(view).toMatchObject({ state: { status: 'stopped' }, allowed_actions: [], error: { code: 'ENDED_OUTSIDE' } });
  await expect(command(id, 'pause')).rejects.toEqual(refusal('PLAN_INVALID_STATE'));
});

test('signals sent by hand, with nothing or with nonsense in them, are taken or recorded, and never harm', async () => {
  const id = await world.create('plan: 1\nname: h\ntasks:\n  ok: { approve: Go on? }\n');
  await world.reaches(id, 'awaiting_input');
  for (const nonsense of [undefined, null, 42, 'x', { at: 'no', actor: 7, request_id: {} }])
    await world.handle(id).signal('resume', nonsense);
  await world.handle(id).signal('answer', { question: '__proto__', choice: 'approve' });
  await world.handle(id).signal('hold');
  await world.handle(id).signal('pause');
  await world.reaches(id, 'paused');
  const refused = (await world.service.events(caller, id, 0)).filter(({ type }) => type === 'CommandRefused');
  expect(refused).toHaveLength(7);
  await command(id, 'stop');
});

test('commands sent while no worker is up are kept, and take effect by the time they were given', async () => {
  const id = await world.create(
    'plan: 1\nname: away\ntasks:\n  ok: { approve: { prompt: Go on?, timeout: 4s, on_timeout: reject } }\n',
  );
  await world.reaches(id, 'awaiting_input');
  await world.stopWorker();
  try {
    const before = Date.now();
    const answer = await world.service.command(caller, id, 'pause', { request_id: 'away-1' });
    expect(answer).toEqual({ request_id: 'away-1', result: 'pending' });
    expect(Date.now() - before).toBeLessThan(4_000);
    const view = await world.read(id);
    expect(view).toMatchObject({ state: { status: 'awaiting_input' }, freshness: { live: false } });
    await delay(3_000);
  } finally {
    await world.startWorker();
  }
  await world.reaches(id, 'paused');
  expect((await world.service.outcome(caller, id, 'away-1')).result).toBe('done');
  expect((await world.read(id)).questions).toHaveLength(1);
  await command(id, 'stop');
});

test('a worker that shuts down gives its attempts back: they run again, at no cost of an attempt', async () => {
  const w = witness();
  const id = await world.create(
    `plan: 1\nname: shut\ntasks:\n  a: { run: "${w.mark('a')}; test -f ${w.path('ok')} || sleep 60" }\n`,
  );
  await until('a runs', () => w.n('a') === 1);
  await world.stopWorker();
  await import('node:fs/promises').then(({ writeFile }) => writeFile(w.path('ok'), ''));
  await world.startWorker();
  const view = await world.reaches(id, 'completed');
  expect(view.tasks[0]).toMatchObject({ attempt: 1 });
  expect(w.n('a')).toBe(2);
});

test('the next run of a failed plan keeps finished work; of a completed plan there is none', async () => {
  const w = witness();
  const id = await world.create(
    `
plan: 1
name: again
tasks:
  a: { run: "${w.mark('a')}; echo kept" }
  b: { needs: [a], run: "${w.mark('b')}; test -f ${w.path('ok')}" }
  c: { needs: [b], run: "echo \${{ tasks.a.outputs.stdout }}" }
`.replace('c: { needs: [b]', 'c: { needs: [a, b]'),
  );
  await world.reaches(id, 'failed');
  const events = (await world.service.events(caller, id, 0)).length;
  await import('node:fs/promises').then(({ writeFile }) => writeFile(w.path('ok'), ''));
  const both = await Promise.allSettled([1, 2].map(() => world.service.nextRun(caller, id, { mode: 'resume' })));
  expect(both.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
  const view = await until('it completes', async () => {
    const view = await world.read(id);
    return view.state.status === 'completed' && view;
  });
  expect(view).toMatchObject({ run: 2, error: null, progress: { done: 3, total: 3, percentage: 100 } });
  expect(view.tasks[0]).toMatchObject({ reused: true, status: 'succeeded' });
  expect([w.n('a'), w.n('b')]).toEqual([1, 2]);
  const all = await world.service.events(caller, id, 0);
  expect(all.map(({ seq }) => seq)).toEqual(all.map((_, i) => i + 1));
  expect(all.length).toBeGreaterThan(events);
  await expect(world.service.nextRun(caller, id, { mode: 'resume' })).rejects.toEqual(refusal('PLAN_NOT_RESUMABLE'));
});

test('retry starts from nothing, and its questions are new ones', async () => {
  const w = witness();
  const id = await world.create(
    `plan: 1\nname: r\ntasks:\n  a: { run: "${w.mark('a')}" }\n  ok: { needs: [a], approve: Go on? }\n`,
  );
  await world.reaches(id, 'awaiting_input');
  await world.command(id, 'answer', { question: 'ok.1', choice: 'reject' });
  await world.reaches(id, 'failed');
  await world.service.nextRun(caller, id, { mode: 'retry' });
  const view = await until('it asks again', async () => {
    const view = await world.read(id);
    return view.state.status === 'awaiting_input' && view;
  });
  expect(view.questions[0]!.id).toBe('ok.2');
  expect(w.n('a')).toBe(2);
  await expect(world.command(id, 'answer', { question: 'ok.1', choice: 'approve' })).rejects.toEqual(
    refusal('QUESTION_CLOSED'),
  );
  await command(id, 'stop');
});

test('a long plan hands over to a new history with its pauses, questions and numbering intact', async () => {
  const steps = Array.from(
    { length: 560 },
    (_, i) => `  t${i}: { ${i ? `needs: [t${i - 1}], ` : ''}run: "true" }`,
  ).join('\n');
  const id = await world.create(`plan: 1\nname: long\ntasks:\n  ok: { approve: Go on? }\n${steps}\n`);
  await until('it is in the middle', async () => (await world.read(id)).progress.done > 100, 60_000);
  for (let i = 0; i < 20; i++) {
    await command(id, 'pause').catch(() => undefined);
    await command(id, 'resume').catch(() => undefined);
    await delay(200);
  }
  await until('the chain is through', async () => (await world.read(id)).progress.done === 560, 120_000);
  await world.command(id, 'approve');
  const view = await until('it completes', async () => {
    const view = await world.read(id);
    return view.state.status === 'completed' && view;
  });
  expect(view.progress).toEqual({ done: 561, total: 561, percentage: 100 });
  const events = await world.service.events(caller, id, 0);
  expect(events.map(({ seq }) => seq)).toEqual(events.map((_, i) => i + 1));
  expect(events.filter(({ type }) => type === 'TaskSucceeded')).toHaveLength(561);
  expect((await world.history(id)).length).toBeLessThan(5_000);
}, 180_000);
