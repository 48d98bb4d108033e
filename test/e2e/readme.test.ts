import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { http, newHome } from '../support/engine.ts';
import { until } from '../support/world.ts';

// What the README tells people to do, in its order, through the program itself.
const ROOT = join(import.meta.dirname, '../..');
const README = readFileSync(join(ROOT, 'README.md'), 'utf8');
const home = newHome({ npm_command: '' });
beforeAll(() => process.chdir(ROOT));
afterAll(() => home.end());

const RUN = new Set<string>();

/** The README must still say it so. */
function said(command: string): string[] {
  RUN.add(command);
  expect(README).toContain(`npx holdpoint ${command}`);
  return command.split(' ');
}

test('the two commands: a plan over real data runs to its end, on an engine that it starts', async () => {
  const { code, out, all } = await home.cli(...said('run examples/countries.yaml'));
  expect(all).toMatch(/completed 5 tasks/);
  expect(code).toBe(0);
  expect(out).toContain('# 250 countries');
  expect(out).toContain('Russia: 17,098,242 km²');
}, 900_000);

test('a first pause and a first answer, on the command line', async () => {
  const { code, out } = await home.cli(...said('run examples/release.yaml --detach'));
  expect(code).toBe(0);
  const id = out.trim();
  const call = async (command: string, more = '') =>
    await home.cli(...said(command + more).map((word) => (word === 'ID' ? id.slice(0, 8) : word)));
  await until('the plan is listed', async () => (await home.cli(...said('ls'))).out.includes(id));
  expect((await call('pause ID')).code).toBe(0);
  await until(
    'it is paused',
    async () => JSON.parse((await home.cli('show', id, '--json')).out).state.status === 'paused',
    30_000,
  );
  expect((await call('show ID')).out).toContain('paused');
  expect((await call('why ID')).out).toContain(`holdpoint resume ${id}`);
  expect((await call('resume ID')).code).toBe(0);
  await until('it asks', async () => (await home.cli('show', id)).out.includes('ship_it.1'), 30_000);
  expect((await home.cli('answer', id, 'ship_it', 'maybe')).code).toBe(2);
  expect((await call('answer ID ship_it', ' ship')).code).toBe(0);
  await until(
    'it completes',
    async () => JSON.parse((await home.cli('show', id, '--json')).out).state.status === 'completed',
    30_000,
  );
  expect((await call('watch ID')).out).toMatch(/completed \d+ tasks/);
  expect((await home.cli('stop', id)).code).toBe(5);
  expect((await home.cli('show', '00000000-0000-4000-8000-000000000000')).code).toBe(3);
}, 120_000);

test('resuming interrupted workflows: interrupted, listed, shown, resumed by id and as the last one, cleaned', async () => {
  const interrupted = async (command: string) => {
    const started = home.start(said(command).map((word) => (word === 'SESSION' ? id : word)));
    await until('it waits', () => started.all().includes('asks: Ship it?'), 60_000);
    started.child.kill('SIGINT');
    return await started.done;
  };
  let id = '';
  const first = await interrupted('run examples/release.yaml');
  id = /^Starting session: (\S+)/m.exec(first.out)![1]!;
  expect(first.code).toBe(130);
  expect(first.err).toContain(`Session interrupted. Resume with: holdpoint run examples/release.yaml --resume ${id}`);
  expect((await home.cli(...said('sessions ls'))).out).toMatch(new RegExp(`${id} +interrupted +3/4 `));
  const shown = await home.cli(...said('sessions show SESSION').map((word) => (word === 'SESSION' ? id : word)));
  expect(shown.out).toContain(`holdpoint run examples/release.yaml --resume ${id}`);
  const resumed = said('run examples/release.yaml --resume SESSION').map((word) => (word === 'SESSION' ? id : word));
  const second = home.start(resumed);
  await until('it is back', () => second.out().includes('Resuming from step 3 of 4'), 30_000);
  await until('it goes on', () => second.out().includes('resumed by'), 30_000);
  second.child.kill('SIGINT');
  expect((await second.done).code).toBe(130);
  const last = home.start(said('run --resume-last'));
  await until('it goes on', () => last.out().includes('resumed by'), 30_000);
  expect((await home.cli('answer', id, 'ship_it', 'ship')).code).toBe(0);
  expect(await last.done).toMatchObject({ code: 0, out: expect.stringContaining(`Resuming session: ${id}`) });
  expect((await home.cli(...said('sessions clean --all --yes'))).out).toMatch(/^removed [1-9]/);
  expect((await home.cli('sessions', 'show', id)).code).toBe(3);
}, 180_000);

test('the same over REST, at the address that the engine tells', async () => {
  const status = await home.cli(...said('server status'));
  const url = status.out.match(/API +(\S+)/)![1]!;
  const api = http(url);
  const id = await api.create(readFileSync('examples/release.yaml', 'utf8'));
  await until('the first task runs', async () => (await api.get(`/api/plans/${id}`)).json.current_task === 'test');
  expect((await api.put(`/api/plans/${id}/pause`)).status).toBe(202);
  await until('it is paused', async () => (await api.state(id)) === 'paused');
  expect((await api.put(`/api/plans/${id}/resume`)).status).toBe(204);
  await until('it asks', async () => (await api.state(id)) === 'awaiting_input');
  const answer = await api.post(`/api/plans/${id}/questions/ship_it/answer`, { choice: 'ship' });
  expect(answer.json).toMatchObject({ choice: 'ship', by: expect.any(String) });
  await until('it completes', async () => (await api.state(id)) === 'completed');
  expect((await api.put(`/api/plans/${id}/stop`)).json).toMatchObject({ status: 400, code: 'PLAN_INVALID_STATE' });
});

test('doctor finds nothing missing; stop ends the engine and its server', async () => {
  const doctor = await home.cli(...said('doctor'));
  expect([doctor.code, doctor.all]).toEqual([0, expect.not.stringContaining('!!')]);
  expect((await home.cli(...said('server stop'))).code).toBe(0);
  await until('nothing of it is left', () => home.processes().length === 0);
  expect((await home.cli('server', 'status')).code).toBe(6);
});

test('plans that fail, are stopped, or are no plans each have their exit code', async () => {
  const write = (name: string, text: string) => {
    const path = join(home.home, name);
    writeFileSync(path, text);
    return path;
  };
  const failing = await home.cli('run', write('f.yaml', 'plan: 1\nname: f\ntasks:\n  a: { run: exit 3 }\n'));
  expect([failing.code, failing.all]).toEqual([1, expect.stringContaining('exit code 3')]);
  const bad = await home.cli('validate', write('b.yaml', 'plan: 1\nname: b\ntasks:\n  a: { rum: x, needs: [z] }\n'));
  expect([bad.code, bad.all]).toEqual([2, expect.stringMatching(/b\.yaml:4:\d+: .*rum/)]);
  const long = home.start(['run', write('l.yaml', 'plan: 1\nname: l\ntasks:\n  a: { run: sleep 60 }\n')]);
  const id = await until('it says its id', () => long.all().match(/plan (\S{36})/)?.[1]);
  await home.cli('stop', id);
  expect((await long.done).code).toBe(8);
});

test('every command of the README is one that a test runs', () => {
  const commands = [...README.matchAll(/^npx holdpoint (.*?) *(?:#.*)?$/gm)].map(([, command]) => command!);
  const elsewhere = ['up'];
  expect(commands.filter((command) => !elsewhere.includes(command) && !RUN.has(command))).toEqual([]);
});
