import { createHash } from 'node:crypto';
import { createReadStream, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { setTimeout as delay } from 'node:timers/promises';
import { afterEach, expect, test } from 'vitest';
import { FULL } from '../chaos/campaign.ts';
import { http, newHome } from '../support/engine.ts';
import { until, witness } from '../support/world.ts';

let home: ReturnType<typeof newHome>;
afterEach(async () => {
  await home.end();
});

const MIB = 1_024 * 1_024;
const hashOf = async (path: string) => {
  const hash = createHash('sha256');
  await pipeline(createReadStream(path), hash);
  return hash.digest('hex');
};
const namesIn = (folder: string): string[] => {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
};
/** What readers can see of the artifact store, and what is not whole yet. */
const visible = (store: string) =>
  namesIn(store)
    .filter((name) => /^[0-9a-f]{2}$/.test(name))
    .flatMap((folder) => namesIn(join(store, folder)).map((name) => ({ name, path: join(store, folder, name) })));
const halves = (store: string) =>
  namesIn(store)
    .filter((name) => name.startsWith('.'))
    .flatMap((name) => statSync(join(store, name), { throwIfNoEntry: false })?.size ?? []);

test.each(['the worker and its command', 'the worker alone, in the last moments of the command'])(
  'kill -9 of %s: what was half written does not count (case 32)',
  async (what) => {
    home = newHome();
    const w = witness();
    const engine = await home.up();
    const id = await http(engine.url).create(`
plan: 1
name: files
tasks:
  gen: { run: "${w.mark('gen')}; for i in 1 2 3 4 5 6; do echo $i >> out.txt; ${w.mark('lines')}; sleep 0.2; done", outputs: [out.txt] }
  sum: { needs: [gen], run: "${w.mark('sum')}; wc -l < out.txt" }
`);
    if (what === 'the worker and its command') {
      await until('it is half written', () => w.n('lines') === 3);
      for (const pid of home.processes().filter((pid) => pid !== serverPid())) process.kill(pid, 'SIGKILL');
    } else {
      await until('it is nearly written', () => w.n('lines') === 6);
      await delay(120);
      await engine.kill();
    }
    const next = await home.up();
    await until('it completes', async () => (await http(next.url).state(id)) === 'completed');
    const { tasks } = (await http(next.url).get(`/api/plans/${id}`)).json;
    expect(tasks[1].outputs.stdout).toBe('6');
    expect(w.n('gen')).toBe(2);
    expect(w.n('sum')).toBe(1);
  },
);
const serverPid = (): number => JSON.parse(readFileSync(join(home.home, 'temporal.json'), 'utf8')).pid;

test('kill -9 while an artifact is copied: half of it is never to be seen, and the plan that goes on has all of it', async () => {
  home = newHome();
  const w = witness();
  const bytes = (FULL ? 1_024 : 96) * MIB;
  const store = join(home.home, 'artifacts');
  const engine = await home.up();
  const id = await http(engine.url).create(`
plan: 1
name: big
tasks:
  small: { run: "echo small > small.txt", outputs: [small.txt] }
  big: { needs: [small], run: "${w.mark('big')}; head -c ${bytes} /dev/urandom > big.bin; sha256sum < big.bin > ${w.path('hash')}", outputs: [big.bin] }
  after: { needs: [big], run: "${w.mark('after')}" }
`);
  await until('it is half copied', () => halves(store).some((size) => size > MIB && size < bytes), 60_000);
  await engine.kill();
  expect(halves(store).every((size) => size < bytes)).toBe(true);
  for (const { name, path } of visible(store)) expect(await hashOf(path)).toBe(name);
  const next = await home.up();
  const api = http(next.url);
  const listed = async () => (await api.get(`/api/plans/${id}/artifacts`)).json.artifacts as Listed[];
  for (let ended = false; !ended; ended = (await api.state(id)) === 'completed')
    for (const artifact of await listed()) expect([6, bytes]).toContain(artifact.bytes);
  const [hash] = readFileSync(w.path('hash'), 'utf8').split(' ');
  const big = (await listed()).find(({ task }) => task === 'big')!;
  expect([big.bytes, big.sha256]).toEqual([bytes, hash]);
  for (const { name, path } of visible(store)) expect(await hashOf(path)).toBe(name);
  expect([w.n('big'), w.n('after')]).toEqual([2, 1]);
}, 300_000);

interface Listed {
  task: string;
  sha256: string;
  bytes: number;
}
