import { writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { checkPromises } from '../support/promises.ts';
import { caller, startWorld, until, witness } from '../support/world.ts';

/** What people found when they tried to break it. */
let world: Awaited<ReturnType<typeof startWorld>>;
beforeAll(async () => {
  world = await startWorld();
});
afterAll(async () => {
  await world.stop();
});
const answer = (id: string, question: string, more: object) => world.command(id, 'answer', { question, ...more });

test('a question over a large output shows its beginning, and can be answered', async () => {
  const id = await world.create(`
plan: 1
name: q
tasks:
  a: { run: "head -c 9000 /dev/zero | tr '\\\\0' x" }
  q: { needs: [a], approve: { prompt: "p \${{ tasks.a.outputs.stdout }}", options: [go, "\${{ tasks.a.outputs.exit_code }}"] } }
`);
  const { questions } = await world.reaches(id, 'awaiting_input');
  expect(questions[0]).toMatchObject({
    options: ['go', '0'],
    prompt: expect.stringMatching(/^p x+ … \(9002 characters in all\)$/),
  });
  await answer(id, 'q', { choice: 'go' });
  await world.reaches(id, 'completed');
});

test('a map over items of megabytes', async () => {
  const id = await world.create(`
plan: 1
name: m
tasks:
  l: { run: "for i in 1 2 3 4 5 6; do head -c 600000 /dev/zero | tr '\\\\0' $i; echo; done", capture: lines }
  m: { needs: [l], map: { in: tasks.l.outputs.stdout, task: { run: "printf %s \${{ item }} | wc -c" } } }
  same: { needs: [l], map: { in: tasks.l.outputs.stdout, task: { set: { all: "\${{ item }}" } } } }
  n: { needs: [m, same], set: { n: "\${{ tasks.m.outputs.results.map(r, r.outputs.stdout) }}", last: "\${{ size(tasks.same.outputs.results[5].outputs.all) }}" } }
`);
  await world.reaches(id, 'completed', 40_000);
  expect((await world.task(id, 'n')).outputs).toEqual({ n: Array(6).fill('600000'), last: 600_000 });
});

test('a stored output that is gone fails what reads it, and says so', async () => {
  const { rmSync } = await import('node:fs');
  const id = await world.create(`
plan: 1
name: gone
tasks:
  a: { run: "head -c 9000 /dev/zero | tr '\\\\0' y" }
  ok: { needs: [a], approve: Go? }
  s: { needs: [ok, a], set: { n: "\${{ size(tasks.a.outputs.stdout) }}" } }
`);
  await world.reaches(id, 'awaiting_input');
  rmSync(`${world.home}/artifacts`, { recursive: true });
  await answer(id, 'ok', { choice: 'approve' });
  const { error } = await world.reaches(id, 'failed');
  expect(error).toMatchObject({ task: 's', message: expect.stringMatching(/is gone from the artifact store/) });
});

test('data with a key `constructor` can be read', async () => {
  const id = await world.create(`
plan: 1
name: c
tasks:
  a: { run: 'echo "{\\"constructor\\":2,\\"b\\":{\\"constructor\\":[1]}}"', capture: json }
  b: { needs: [a], set: { n: "\${{ tasks.a.outputs.stdout.constructor + 1 }}", all: "\${{ tasks.a.outputs.stdout }}" } }
`);
  await world.reaches(id, 'completed');
  expect((await world.task(id, 'b')).outputs).toEqual({ n: 3, all: { constructor: 2, b: { constructor: [1] } } });
});

test('sub-plans in a map keep what they had finished, and questions of items are never asked under an old id', async () => {
  const w = witness();
  const id = await world.create(`
plan: 1
name: m
tasks:
  m: { map: { in: [1], task: { plan: { inputs: { x: "\${{ item }}" }, steps: [{ run: "${w.mark('p')}" }, { run: "${w.mark('q')}; test -f ${w.path('ok')}" }] } } } }
  g: { map: { in: [1], task: { approve: "deploy?" } }, on_failure: continue }
`);
  await until('it asks', async () => (await world.read(id)).questions[0]?.id === 'g[0].1');
  await until('it has failed', async () => w.n('q') === 1);
  await world.reaches(id, 'failed');
  writeFileSync(w.path('ok'), '');
  await world.service.nextRun(caller, id, { mode: 'resume' });
  const asks = await until('it asks again', async () => {
    const view = await world.read(id);
    return view.questions.length > 0 && view;
  });
  expect(asks.questions[0]!.id).toBe('g[0].2');
  await expect(answer(id, 'g[0].1', { choice: 'reject' })).rejects.toMatchObject({ code: 'QUESTION_CLOSED' });
  await answer(id, 'g[0].2', { choice: 'approve' });
  await world.reaches(id, 'completed');
  expect([w.n('p'), w.n('q')]).toEqual([1, 2]);
});

test('after a stop or a pause is acknowledged nothing starts in maps and sub-plans, however deep', async () => {
  const w = witness();
  const id = await world.create(`
plan: 1
name: deep
tasks:
  m:
    map:
      in: [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12]
      max_parallel: 4
      task: { plan: { steps: [{ run: "${w.mark('n')}; sleep 0.1" }, { run: "${w.mark('n')}; sleep 0.1" }, { run: "${w.mark('n')}" }] } }
`);
  await until('some run', () => w.n('n') > 4);
  expect((await world.command(id, 'pause')).result).toBe('accepted');
  const paused = w.n('n');
  await delay(600);
  // A command is begun a moment before it can mark: what was dispatched before the pause.
  expect(w.n('n') - paused).toBeLessThanOrEqual(1);
  await world.reaches(id, 'paused');
  const before = w.n('n');
  await world.command(id, 'resume');
  await until('more run', () => w.n('n') > before + 3);
  expect((await world.command(id, 'stop')).result).toBe('done');
  await world.reaches(id, 'stopped');
  expect(await checkPromises({ client: world.client, orgId: 'local', planId: id })).toEqual([]);
});

test('the timeline has who was asked and who answered inside maps and sub-plans', async () => {
  const id = await world.create(`
plan: 1
name: t
tasks:
  m: { map: { in: [1], task: { approve: "m?" } } }
  s: { plan: { tasks: { ok: { approve: "s?" }, bad: { needs: [ok], run: "exit 4" } } } }
`);
  await until('both ask', async () => (await world.read(id)).questions.length === 2);
  await answer(id, 'm[0].1', { choice: 'approve', comment: 'fine' });
  await answer(id, 's/ok.1', { choice: 'approve' });
  const { error } = await world.reaches(id, 'failed');
  expect(error).toMatchObject({ task: 's', message: 's/bad: exit code 4' });
  const events = await world.service.events(caller, id, 0);
  expect(events.map(({ seq }) => seq)).toEqual(events.map((_, k) => k + 1));
  const about = (type: string) => events.filter((event) => event.type === type).map(({ task, by }) => [task, by]);
  expect(
    about('QuestionOpened')
      .map(([task]) => task)
      .sort(),
  ).toEqual(['m[0]', 's/ok']);
  expect(about('QuestionAnswered').sort()).toEqual([
    ['m[0]', caller.principal.name],
    ['s/ok', caller.principal.name],
  ]);
  expect(about('TaskFailed').map(([task]) => task)).toContain('s/bad');
});

test('max_parallel of a map also holds for questions', async () => {
  const id = await world.create(
    'plan: 1\nname: one\ntasks:\n  m: { map: { in: [1, 2, 3], max_parallel: 1, task: { approve: "x?" } } }\n',
  );
  for (const n of [0, 1, 2]) {
    const view = await until('one asks', async () => {
      const view = await world.read(id);
      return view.questions[0]?.id === `m[${n}].1` && view;
    });
    expect(view.questions).toHaveLength(1);
    await answer(id, `m[${n}].1`, { choice: 'approve' });
  }
  await world.reaches(id, 'completed');
});

test('an answer of HTTP/1.0 that closes its connection while it is read does no harm', async () => {
  const body = Buffer.alloc(6_000_000, 120);
  const server = createServer((socket) => {
    socket.on('error', () => {});
    socket.once('data', () => {
      socket.write(`HTTP/1.0 200 OK\r\ncontent-type: text/plain\r\ncontent-length: ${body.length}\r\n\r\n`);
      socket.end(body);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as { port: number };
  try {
    const id = await world.create(
      `plan: 1\nname: h\ntasks:\n${Array.from({ length: 8 }, (_, i) => `  g${i}: { http: "http://127.0.0.1:${port}/" }\n`).join('')}`,
    );
    const view = await world.reaches(id, 'completed', 30_000);
    for (const task of view.tasks) expect(task.outputs).toMatchObject({ body: { $stored: { bytes: body.length } } });
  } finally {
    server.close();
  }
});
