import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { afterEach, expect, test } from 'vitest';
import { readEngine } from '../../src/engine/engine-record.ts';
import { freePort, http, killAtEvent, newHome } from '../support/engine.ts';
import { isRunning } from '../support/processes.ts';
import { until, witness } from '../support/world.ts';

let home: ReturnType<typeof newHome>;
afterEach(async () => {
  await home.end();
});

const chain = (n: number, run: (i: number) => string) =>
  `plan: 1\nname: chain\nsteps:\n${Array.from({ length: n }, (_, i) => `  - run: ${JSON.stringify(run(i))}`).join('\n')}\n`;

test.each([4, 17, 30])(
  'killed at event %i of a plan, the engine goes on from there: only what was in flight runs twice',
  async (event) => {
    home = newHome();
    const w = witness();
    const first = await home.up();
    const id = await http(first.url).create(chain(10, (i) => `${w.mark(String(i))}; sleep 0.1`));
    await killAtEvent(first.child.pid!, first.temporal, id, event);
    const second = await home.up();
    await until('the plan completes', async () => (await http(second.url).state(id)) === 'completed', 30_000);
    const runs = Array.from({ length: 10 }, (_, i) => w.n(String(i)));
    expect(runs.filter((n) => n === 1).length).toBeGreaterThanOrEqual(9);
    expect(Math.max(...runs)).toBeLessThanOrEqual(2);
    expect(
      (await http(second.url).get(`/api/plans/${id}`)).json.tasks.every(
        (task: { attempt: number }) => task.attempt === 1,
      ),
    ).toBe(true);
  },
);

test('a tree of processes that ignores TERM dies when its worker is killed, with nothing restarted', async () => {
  home = newHome();
  const w = witness();
  const engine = await home.up();
  await http(engine.url).create(
    `plan: 1\nname: tree\ntasks:\n  tree: { run: "trap '' TERM; (trap '' TERM; sleep 300) & echo $$ $! > ${w.path('pids')}; wait" }\n`,
  );
  const pids = await until(
    'the tree runs',
    () => w.n('pids') && readFileSync(w.path('pids'), 'utf8').trim().split(' ').map(Number),
  );
  expect(pids.every(isRunning)).toBe(true);
  await engine.kill();
  await until('the tree is gone', () => !pids.some(isRunning), 6_000);
});

test('everything is killed at once: the plan is there again, and a completed task does not run again', async () => {
  home = newHome();
  const w = witness();
  const first = await home.up();
  const gate = `plan: 1\nname: gate\ntasks:\n  a: { run: "${w.mark('a')}" }\n  ok: { needs: [a], approve: Go on? }\n  b: { needs: [ok], run: "${w.mark('b')}" }\n`;
  const id = await http(first.url).create(gate);
  await until('it asks', async () => (await http(first.url).state(id)) === 'awaiting_input');
  expect((await http(first.url).put(`/api/plans/${id}/pause`)).status).toBe(204);
  for (const pid of home.processes()) process.kill(pid, 'SIGKILL');
  await until('all is gone', () => home.processes().length === 0);
  const second = await home.up();
  const api = http(second.url);
  expect((await api.get(`/api/plans/${id}`)).json.state).toEqual({ status: 'paused' });
  expect((await api.put(`/api/plans/${id}/resume`)).status).toBe(204);
  expect((await api.post(`/api/plans/${id}/questions/ok/answer`, { choice: 'approve' })).status).toBe(200);
  await until('it completes', async () => (await api.state(id)) === 'completed');
  expect([w.n('a'), w.n('b')]).toEqual([1, 1]);
});

test('told to end, the engine gives its attempts back and ends its server; the next one goes on', async () => {
  home = newHome();
  const w = witness();
  const first = await home.up();
  const id = await http(first.url).create(
    `plan: 1\nname: t\ntasks:\n  a: { run: "${w.mark('a')}; test -f ${w.path('ok')} || sleep 60" }\n`,
  );
  await until('a runs', () => w.n('a') === 1);
  await first.stop();
  await until('nothing is left', () => home.processes().length === 0, 5_000);
  writeFileSync(w.path('ok'), '');
  const second = await home.up();
  await until('it completes', async () => (await http(second.url).state(id)) === 'completed');
  const [task] = (await http(second.url).get(`/api/plans/${id}`)).json.tasks;
  expect([task.attempt, w.n('a')]).toEqual([1, 2]);
  await delay(0);
});

test('an engine that is told to stop stays stopped, whoever follows a plan; one that died is started again', async () => {
  home = newHome();
  const w = witness();
  const file = w.path('plan.yaml');
  writeFileSync(
    file,
    `plan: 1\nname: t\ntasks:\n  a: { run: "${w.mark('a')}; test -f ${w.path('ok')} || sleep 60" }\n`,
  );
  const run = home.start(['run', file]);
  await until('a runs', () => w.n('a') === 1, 60_000);
  process.kill(JSON.parse(readFileSync(`${home.home}/engine.json`, 'utf8')).pid, 'SIGKILL');
  await until('it runs again, in another engine', () => w.n('a') === 2, 30_000);
  expect((await home.cli('server', 'stop')).code).toBe(0);
  const { code, all } = await run.done;
  expect([code, all]).toEqual([
    6,
    expect.stringContaining('the engine was stopped; its plans go on when one runs again'),
  ]);
  expect(home.processes()).toEqual([]);
  writeFileSync(w.path('ok'), '');
  const engine = await home.up();
  const [plan] = (await http(engine.url).get('/api/plans')).json.plans;
  await until('it completes', async () => (await http(engine.url).state(plan.plan_id)) === 'completed');
});

test('an engine that cannot listen says so, and leaves nothing running', async () => {
  home = newHome();
  const port = await freePort();
  const other = createServer().listen(port, '127.0.0.1');
  await once(other, 'listening');
  const { code, err } = await home.start(['up'], { PORT: String(port) }).done;
  other.close();
  expect([code, err]).toEqual([2, expect.stringContaining(`the API cannot listen on 127.0.0.1:${port}`)]);
  expect(home.processes()).toEqual([]);
});

test('a frozen worker’s command is ended by its guard before the attempt is given away: one alive at a time', async () => {
  home = newHome();
  const w = witness();
  const engine = await home.up();
  const id = await http(engine.url).create(
    `plan: 1\nname: frozen\ntasks:\n  t: { run: "trap '' TERM; echo $$ >> ${w.path('pids')}; (trap '' TERM; sleep 300) & wait; sleep 300" }\n`,
  );
  const pids = () => readFileSync(w.path('pids'), 'utf8').trim().split('\n').map(Number);
  await until('the command runs', () => w.n('pids') === 1);
  process.kill(engine.child.pid!, 'SIGSTOP');
  await until('its guard has ended it', () => !isRunning(pids()[0]!), 14_000);
  process.kill(engine.child.pid!, 'SIGCONT');
  await until('it runs again', () => w.n('pids') === 2);
  expect((await http(engine.url).get(`/api/plans/${id}`)).json.tasks[0]).toMatchObject({
    status: 'running',
    attempt: 1,
  });
  expect((await http(engine.url).put(`/api/plans/${id}/stop`)).status).toBe(204);
  await until('it is stopped', async () => (await http(engine.url).state(id)) === 'stopped');
  expect(pids().some(isRunning)).toBe(false);
});

test('a Temporal server that dies alone is started again by its engine, and the plan goes on', async () => {
  home = newHome();
  const w = witness();
  const engine = await home.up();
  const id = await http(engine.url).create(chain(8, (i) => `${w.mark(String(i))}; sleep 0.5`));
  await until('the plan is at work', () => w.n('2') === 1);
  process.kill(JSON.parse(readFileSync(`${home.home}/temporal.json`, 'utf8')).pid, 'SIGKILL');
  const state = () =>
    http(engine.url)
      .state(id)
      .catch(() => undefined);
  await until('it completes', async () => (await state()) === 'completed', 45_000);
  const runs = Array.from({ length: 8 }, (_, i) => w.n(String(i)));
  expect(runs.filter((n) => n === 1).length).toBeGreaterThanOrEqual(7);
  expect(engine.child.exitCode).toBeNull();
  expect(readEngine(home.config)?.ready).toBe(true);
  await engine.stop();
  await until('nothing is left', () => home.processes().length === 0, 5_000);
}, 90_000);
