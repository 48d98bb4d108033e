import { writeFileSync } from 'node:fs';
import { buffer } from 'node:stream/consumers';
import { unzipSync } from 'fflate';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { mustConform } from '../support/conforms.ts';
import { witness } from '../support/world.ts';
import { startApi } from './real.ts';
import { type Ask, serve } from './serve.ts';

let api: Awaited<ReturnType<typeof startApi>>;
let world: typeof api.world;
beforeAll(async () => {
  api = await startApi();
  world = api.world;
});
afterAll(() => api.stop());

/** Posts to the plan's runs; every answer has to be one that the API's description has. */
async function runs(id: string) {
  const { ask } = await serve(world.service);
  return async (body: Ask['body']) => {
    const answer = await ask(`POST /api/plans/${id}/runs`, { body });
    mustConform(`POST /api/plans/${id}/runs`, answer);
    return answer;
  };
}

const text = (w: ReturnType<typeof witness>, echo: string) =>
  `plan: 1\nname: e\ntasks:\n  a: { run: "${w.mark('a')}; echo ${echo}" }\n  b: { needs: [a], run: "${w.mark('b')}" }\n  x: { run: "${w.mark('x')}" }\n  z: { needs: [b, x], run: "${w.mark('z')}; test -f ${w.path('ok')}" }\n`;

test('an edited plan is told first, then runs only what changed and what depends on it', async () => {
  const w = witness();
  const id = await world.create(text(w, 'one'));
  const post = await runs(id);
  await world.reaches(id, 'failed');
  writeFileSync(w.path('ok'), '');
  const told = await post({ mode: 'resume', plan: text(w, 'two'), dry_run: true });
  expect([told.status, told.json.reuse, told.json.run]).toEqual([200, ['x'], ['a', 'b', 'z']]);
  const broken = await post({ mode: 'resume', plan: 'plan: 1\nname: e\ntaskz: {}\n' });
  expect([broken.status, broken.json.code, broken.json.errors?.map(({ line }) => line)]).toEqual([
    422,
    'PLAN_INVALID',
    [1, 3],
  ]);
  const started = await post({ mode: 'resume', plan: text(w, 'two') });
  expect([started.status, started.json]).toEqual([202, { plan_id: id, mode: 'resume', resume_count: 1 }]);
  await world.reaches(id, 'completed');
  expect(['a', 'b', 'x', 'z'].map(w.n)).toEqual([2, 2, 1, 2]);
  const late = await post({ mode: 'resume', dry_run: true });
  expect([late.status, late.json.code]).toEqual([409, 'PLAN_NOT_RESUMABLE']);
});

test('what cannot be is refused with what is wrong', async () => {
  const id = await world.create('plan: 1\nname: p\ntasks: { build: { run: "false" } }\n');
  const post = await runs(id);
  await world.reaches(id, 'failed');
  for (const [body, status, code, detail] of [
    [{ mode: 'resume', from: 'biuld' }, 404, 'TASK_NOT_FOUND', /did you mean build\?/],
    [{ mode: 'retry', from: 'build' }, 422, 'REQUEST_INVALID', /from: a retry runs everything again/],
    [{ mode: 'resume', inputs: { n: 1 } }, 422, 'PLAN_INVALID', /the plan has no input "n"/],
    [{ mode: 'resume', form: 'build' }, 422, 'REQUEST_INVALID', /form/],
  ] as const) {
    const answer = await post(body);
    expect([answer.status, answer.json.code]).toEqual([status, code]);
    expect(answer.json.detail).toMatch(detail);
  }
  expect((await world.read(id)).run).toBe(1);
});

test('a bundle is streamed to whoever may read the plan, and is not there for anybody else', async () => {
  const id = await api.world.create('plan: 1\nname: p\ntasks: { a: { run: "echo hello" } }\n');
  await api.world.reaches(id, 'completed');
  const response = await api.open(`/api/plans/${id}/bundle`);
  expect(response.headers).toMatchObject({ 'content-type': 'application/zip', 'transfer-encoding': 'chunked' });
  const files = unzipSync(await buffer(response));
  expect(Buffer.from(files['logs/run-1/a#1.1.log']!).toString()).toBe('hello\n');
  expect(JSON.parse(Buffer.from(files['manifest.json']!).toString())).toMatchObject({ plan_id: id });
  expect((await api.ask(`/api/plans/${id}/bundle`, { 'x-org': 'other' })).status).toBe(404);
});
