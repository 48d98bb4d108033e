import { writeFileSync } from 'node:fs';
import { afterEach, expect, test } from 'vitest';
import { http, newHome } from '../support/engine.ts';
import { until, witness } from '../support/world.ts';

let home: ReturnType<typeof newHome>;
afterEach(async () => {
  await home.end();
});

test('logs -f goes on when its engine is killed and is back, and what was written is read without any', async () => {
  home = newHome();
  const w = witness();
  const engine = await home.up();
  const id = await http(engine.url).create(
    `plan: 1\nname: p\ntasks:\n  a: { run: "echo begin; ${w.mark('a')}; until test -f ${w.path('go')}; do sleep 0.05; done; echo end" }\n  b: { needs: a, run: "echo after" }\n`,
  );
  const follower = home.start(['logs', id, '-f']);
  await until('the first line', () => follower.all().includes('a | begin'));
  await engine.kill();
  await until('it runs again', () => w.n('a') === 2, 60_000);
  writeFileSync(w.path('go'), '');
  const { code, out } = await follower.done;
  expect([code, out]).toEqual([0, 'a | begin\na | begin\na | end\nb | after\n']);

  await home.cli('server', 'stop');
  const read = await home.cli('logs', id.slice(0, 8), 'a');
  expect([read.code, read.out]).toEqual([0, 'begin\nend\n']);
  expect(read.err).toContain('no engine runs; these are the files of this home');
}, 120_000);

test('a log that was too long is shown to its end, and what its middle lacks is told', async () => {
  home = newHome();
  const engine = await home.up();
  const id = await http(engine.url).create(
    'plan: 1\nname: p\ntasks:\n  a: { run: "echo first; yes 0123456789 | head -c 80000000; echo last", capture: none }\n',
  );
  await until('it completes', async () => (await http(engine.url).state(id)) === 'completed', 60_000);
  const shown = home.start(['logs', id, 'a', '--tail', '30000']);
  const { out } = await shown.done;
  expect(out).toMatch(/\n… 1\d\.\d MB left out …\n/);
  expect(out.endsWith('last\n')).toBe(true);
  const list = await fetch(`${engine.url}/api/plans/${id}/tasks/a/logs`, { headers: { accept: 'application/json' } });
  const { attempts } = (await list.json()) as { attempts: object[] };
  expect(attempts).toEqual([expect.objectContaining({ dropped: expect.any(Number) })]);
}, 120_000);
