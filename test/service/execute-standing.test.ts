import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { Answer } from '../../src/service/execute/answer.ts';
import { catalogOf, type Source, startSource } from '../support/source-stub.ts';
import { caller, startWorld, until } from '../support/world.ts';

let world: Awaited<ReturnType<typeof startWorld>>;
let source: Source;
let hash: string;
beforeAll(async () => {
  world = await startWorld();
  source = await startSource();
  ({ prompt_hash: hash } = await world.service.execute.registerCatalog(caller, catalogOf(source)));
});
afterAll(async () => {
  source.stop();
  await world.stop();
});
beforeEach(() => {
  Object.assign(source, { delayMs: 0, status: 200 });
});

let made = 0;
function session() {
  const ids = { prompt_hash: hash, surface: 'http' as const, session: `${process.pid}-${++made}` };
  const run = (program: string) =>
    world.service.execute.run(caller, {
      ...ids,
      program,
      place: { env: {} },
      ...(!/^(wait|cancel)/.test(program) && { wait: false, force: true }),
    });
  const standing = () => world.service.execute.operation(caller, ids, 's0_o1');
  return { run, standing };
}
const plasm = ({ meta }: Answer) => meta.plasm;
const isOver = (answer: Answer) => plasm(answer).continuity?.p !== 'running' && answer;
const ended = (run: (program: string) => Promise<Answer>) =>
  until('it ends', async () => isOver(await run('wait(s0_o1)')), 30_000);
const stepOf = ({ s }: { s?: string }) => Number.parseInt(s ?? '0', 10);

test('of several reads, the line has the rows of all, and its step never goes back', async () => {
  source.delayMs = 60;
  const { run, standing } = session();
  await run('a = Pokemon{id > 0}\nb = Pokemon{id > 300}\nc = Pokemon{id > 600}\nreturn a, b, c');
  const seen: Awaited<ReturnType<typeof standing>>[] = [];
  await until('it ends', async () => seen[seen.push(await standing()) - 1]!.phase !== 'running', 30_000);
  const steps = seen.filter(({ phase }) => phase === 'running').map(({ op }) => stepOf(op));
  expect(steps).toEqual(steps.toSorted((a, b) => a - b));
  for (const { op, results } of seen) expect(op.r ?? 0).toBe(results.reduce((sum, { rows }) => sum + rows, 0));
  const counts = seen.map(({ op }) => op.r ?? 0);
  expect(counts).toEqual(counts.toSorted((a, b) => a - b));
  expect(seen.at(-1)!.line).toBe('`s0_o1` ! 1800r');
});

test('how often the source was asked is told, while it reads and afterwards', async () => {
  source.delayMs = 100;
  const { run, standing } = session();
  await run('Pokemon{id > 100000}.aggregate(n=count)');
  const running = await until('pages are read', async () => {
    const answer = await run('wait(s0_o1)');
    return (plasm(answer).calls ?? 0) > 2 && answer;
  });
  expect(running.markdown).toMatch(/^```text\n`s0_o1` [~=] 1\/2 Pokemon\n```\n\n\d+ requests so far$/);
  expect(plasm(await ended(run)).calls).toBe(18);
  expect(await standing()).toMatchObject({ calls: 18, waiting_for: [] });
});

test('a plan file that asks says so, and where it is answered', async () => {
  const { run, standing } = session();
  await run('plan: 1\nname: asks\ntasks:\n  a: { approve: { prompt: "really `do` it?" } }\n');
  const asked = await until('it asks', async () => {
    const answer = await run('wait(s0_o1)');
    return plasm(answer).waiting_for && answer;
  });
  const { waiting_for, plan_id } = plasm(asked);
  const [way] = waiting_for![0]!.ways!;
  const question = way?.command === 'answer' ? way.question : 'none';
  expect(waiting_for).toMatchObject([{ what: 'question', task: 'a', ways: [{ command: 'answer' }] }]);
  expect(asked.markdown).toMatch(/^```text\n`s0_o1` [~=] 1\/1 a\n```\n\n/);
  expect(asked.markdown).toContain('for an answer: really \\`do\\` it?');
  expect(asked.markdown).toContain(`to answer: plan \`${plan_id}\`, question \`${question}\``);
  expect((await standing()).waiting_for).toMatchObject([{ what: 'question' }]);
  await run('cancel(s0_o1)');
});

test('one whose plan is paused says why it stands still', async () => {
  source.delayMs = 40;
  const { run } = session();
  const { plan_id } = plasm(await run('Pokemon{id > 5}.aggregate(n=count)'));
  await until('it reads', async () => plasm(await run('wait(s0_o1)')).op!.r);
  await world.service.command(caller, plan_id!, 'pause', {});
  const paused = await until('it stands still', async () => {
    const answer = await run('wait(s0_o1)');
    return plasm(answer).waiting_for && answer;
  });
  expect(plasm(paused).waiting_for).toMatchObject([{ what: 'resume', ways: [{ command: 'resume' }] }]);
  expect(paused.markdown).toMatch(/has paused it, .* ago · to go on: resume plan `[0-9a-f-]{36}`/);
  await world.service.command(caller, plan_id!, 'resume', {});
  expect(plasm(await ended(run)).op).toMatchObject({ '!': 1, r: 1 });
});

test('one whose source fails says that it is asked again, and why', async () => {
  source.status = 503;
  const { run } = session();
  await run('Pokemon');
  const failing = await until('it waits', async () => {
    const answer = await run('wait(s0_o1)');
    return plasm(answer).waiting_for && answer;
  });
  expect(plasm(failing).waiting_for).toMatchObject([
    { what: 'back_off', text: expect.stringMatching(/tried again.*503/) },
  ]);
  source.status = 200;
  expect(plasm(await ended(run)).op).toMatchObject({ '!': 1, r: 900 });
});

test('one that was told to end and has not yet says so', async () => {
  const { run } = session();
  await run(`plan: 1\nname: slow\ntasks:\n  a: { run: "trap '' TERM; while :; do sleep 0.1; done" }\n`);
  await until('it runs', async () => (await run('wait(s0_o1)')).markdown.includes('1/1 a'));
  const answer = await run('cancel(s0_o1)');
  expect(plasm(answer)).toMatchObject({ cancelling: true, continuity: { p: 'running' } });
  expect(answer.markdown).toContain('It was asked to end');
  const over = await ended(run);
  expect(plasm(over).op).toMatchObject({ x: 1 });
  expect(plasm(over).cancelling).toBeUndefined();
});

test('a read goes on however often its worker is shut down, as long as it gets further each time', async () => {
  source.delayMs = 80;
  const before = source.hits;
  const { run } = session();
  await run('Pokemon');
  for (let calls = 0, times = 0; times < 4; times++) {
    await until('it gets further', async () => (plasm(await run('wait(s0_o1)')).calls ?? 0) > calls);
    await world.stopWorker();
    calls = plasm(await run('wait(s0_o1)')).calls!;
    await world.startWorker();
  }
  expect(plasm(await ended(run)).op).toMatchObject({ '!': 1, r: 900 });
  expect(source.hits - before).toBeLessThanOrEqual(18 + 4);
});
