import { afterEach, expect, test } from 'vitest';
import { http, newHome } from '../support/engine.ts';
import { until, witness } from '../support/world.ts';

let home: ReturnType<typeof newHome>;
afterEach(async () => {
  await home.end();
});

test('an engine killed again and again: of five plans in a group of one each completes, and never two run at once', async () => {
  home = newHome();
  const w = witness();
  // A lock of the kernel's ends with its process, however that ends.
  const alone = (id: string) =>
    `flock -n ${w.path('lock')} bash -c '${w.mark(id)}; sleep 0.7; ${w.mark(`end-${id}`)}' || { ${w.mark('clash')}; exit 1; }`;
  const plan = (id: string) =>
    `plan: 1\nname: ${id}\nconcurrency: { group: deploy }\ntasks:\n  a: { run: ${JSON.stringify(alone(`${id}a`))} }\n  b: { needs: [a], run: ${JSON.stringify(alone(`${id}b`))} }\n`;
  let engine = await home.up();
  const ids: string[] = [];
  for (const id of ['p', 'q', 'r', 's', 't']) ids.push(await http(engine.url).create(plan(id)));
  for (const at of ['pa', 'qb', 'ra', 'sa']) {
    await until(`${at} runs`, () => w.n(at) > 0, 60_000);
    await engine.kill();
    engine = await home.up();
  }
  // The moment between two plans, too.
  await until('the fourth has ended', () => w.n('end-sb') > 0, 60_000);
  await engine.kill();
  engine = await home.up();
  for (const id of ids)
    await until('it completes', async () => (await http(engine.url).state(id)) === 'completed', 60_000);
  expect(w.n('clash')).toBe(0);
  for (const id of ['p', 'q', 'r', 's', 't']) {
    expect(w.n(`end-${id}a`)).toBeGreaterThanOrEqual(1);
    expect(w.n(`end-${id}b`)).toBeGreaterThanOrEqual(1);
  }
}, 240_000);
