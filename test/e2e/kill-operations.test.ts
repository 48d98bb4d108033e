import { afterEach, expect, test } from 'vitest';
import { newHome } from '../support/engine.ts';
import { catalogOf, type Source, startSource } from '../support/source-stub.ts';
import { until } from '../support/world.ts';

let home: ReturnType<typeof newHome>;
let source: Source;
afterEach(async () => {
  source.stop();
  await home.end();
});

const BIG = 'Pokemon.filter{base_experience >= 300}';

/** An engine, and programs of one session over it. */
async function start() {
  const engine = await home.up();
  const registered = await fetch(`${engine.url}/catalogs`, {
    method: 'POST',
    headers: { 'content-type': 'application/yaml' },
    body: catalogOf(source),
  });
  const { prompt_hash } = (await registered.json()) as { prompt_hash: string };
  const run = async (program: string, more: object = {}) => {
    const answer = await fetch(`${engine.url}/execute/${prompt_hash}/one`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', accept: 'application/json' },
      body: JSON.stringify({ program, ...more }),
    });
    const json = (await answer.json()) as { rows?: { id: number }[]; _meta: { plasm: Record<string, unknown> } };
    return { status: answer.status, json };
  };
  return { ...engine, run };
}

test('killed while a program answers at once: asked again with the same request id, nothing is read twice', async () => {
  home = newHome({ HOLDPOINT_ALLOW_PRIVATE_HOSTS: '127.0.0.1' });
  source = await startSource();
  source.delayMs = 150;
  const first = await start();
  const asked = { request_id: 'mine' };
  const program = `${BIG}.limit(300)[id]`;
  const lost = first.run(program, asked).catch((error: Error) => error);
  await until('some pages are read', () => source.hits >= 4);
  await first.kill();
  expect(await lost).toBeInstanceOf(Error);
  const second = await start();
  const { status, json } = await second.run(program, { ...asked, wait: true });
  expect([200, 202]).toContain(status);
  const rows =
    status === 200
      ? json.rows
      : await until('it ends', async () => (await second.run('wait(s0_o1)')).json.rows, 30_000);
  expect(rows!.map(({ id }) => id)).toEqual(Array.from({ length: 300 }, (_, i) => i + 301));
  // Twelve pages, and the one that was under way.
  expect(source.hits).toBeLessThanOrEqual(13);
});

test('killed again and again: handles, tokens and pages go on, and no handle is given twice', async () => {
  home = newHome({ HOLDPOINT_ALLOW_PRIVATE_HOSTS: '127.0.0.1' });
  source = await startSource();
  const handles: unknown[] = [];
  let token: unknown;
  for (let i = 0; i < 3; i++) {
    const engine = await start();
    const plasm = async (program: string, more: object) => (await engine.run(program, more)).json._meta.plasm;
    token ??= (await plasm(BIG, { mode: 'plan' })).plan_commit_ref;
    const { continuity } = await plasm(BIG, { plan_commit_ref: token, wait: false });
    handles.push((continuity as { h: string }).h);
    if (i === 0) await engine.run(`${BIG}.page_size(100)`, { force: true });
    const page = await engine.run('page(s0_pg1)');
    expect(page.json.rows!.map(({ id }) => id)).toEqual(Array.from({ length: 100 }, (_, i) => i + 401));
    await engine.kill();
  }
  expect(handles).toEqual(['s0_o1', 's0_o2', 's0_o3']);
  const { run } = await start();
  for (const handle of handles)
    await until(`${handle} ends`, async () => {
      const { op } = (await run(`wait(${handle})`)).json._meta.plasm as { op: { r?: number; '!'?: 1 } };
      return op['!'] && op.r === 600;
    });
});
