import { readFileSync } from 'node:fs';
import { afterEach, expect, test } from 'vitest';
import { FULL } from '../chaos/campaign.ts';
import { http, newHome } from '../support/engine.ts';
import { until, witness } from '../support/world.ts';

let home: ReturnType<typeof newHome>;
afterEach(async () => {
  await home.end();
});

const ITEMS = FULL ? 1_000 : 120;
const AT_ONCE = 10;

test(`kill -9 inside a map of ${ITEMS} items: items that were done are kept, and only those in flight run again`, async () => {
  home = newHome();
  const w = witness();
  const first = await home.up();
  const map = { in: Array.from({ length: ITEMS }, (_, i) => i), max_parallel: AT_ONCE, task: { run: '' } };
  map.task.run = `echo \${{ item }} >> ${w.path('items')}; echo \${{ item }}`;
  const tasks = { each: { map }, end: { needs: ['each'], run: w.mark('end') } };
  const id = await http(first.url).create(JSON.stringify({ plan: 1, name: 'map', tasks }));
  await until('half is done', () => w.n('items') >= ITEMS / 2, 120_000);
  await first.kill();
  const before = w.n('items');
  expect(before).toBeLessThan(ITEMS);
  const second = await home.up();
  await until('it completes', async () => (await http(second.url).state(id)) === 'completed', 120_000);
  const lines = readFileSync(w.path('items'), 'utf8').trim().split('\n').map(Number);
  expect(new Set(lines).size).toBe(ITEMS);
  expect(lines.length - ITEMS).toBeLessThanOrEqual(AT_ONCE);
  expect(w.n('end')).toBe(1);
}, 300_000);
