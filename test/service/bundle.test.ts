import { createHash } from 'node:crypto';
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { unzipSync } from 'fflate';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { caller, startWorld, witness } from '../support/world.ts';

let world: Awaited<ReturnType<typeof startWorld>>;
beforeAll(async () => {
  world = await startWorld();
});
afterAll(async () => {
  await world.stop();
});

const text = (ok: string) => `
plan: 1
name: my plan
inputs: { who: { type: string } }
tasks:
  made: { run: "mkdir -p d; echo hello \${{ inputs.who }} > d/a.txt; echo said", outputs: ["d/*"] }
  big: { run: "head -c 100000 /dev/zero | tr '\\\\0' x" }
  z: { needs: [made, big], run: "test -f ${ok}" }
`;

async function bundleOf(id: string) {
  const { name, read } = await world.service.bundle(caller, id);
  const files = unzipSync(await buffer(read()));
  const textOf = (path: string) => Buffer.from(files[path]!).toString();
  return { name, files, textOf, manifest: JSON.parse(textOf('manifest.json')) };
}
const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex');

test('a bundle has all that there is of a plan over its runs, with a hash for each', async () => {
  const w = witness();
  const id = await world.create(text(w.path('ok')), { inputs: { who: 'Ada' } });
  await world.reaches(id, 'failed');
  writeFileSync(w.path('ok'), '');
  await world.service.nextRun(caller, id, { mode: 'resume' });
  await world.reaches(id, 'completed');

  const { name, files, textOf, manifest } = await bundleOf(id);
  expect(name).toBe(`my-plan-${id.slice(0, 8)}.zip`);
  expect(Object.keys(files).sort()).toEqual([
    'definition.json',
    'files/made/d/a.txt',
    'inputs.json',
    'logs/run-1/big#1.1.log',
    'logs/run-1/made#1.1.log',
    'logs/run-1/z#1.1.log',
    'logs/run-2/z#1.1.log',
    'manifest.json',
    'outputs/big/stdout.txt',
    'plan.yaml',
    'timeline.jsonl',
    'view.json',
  ]);
  expect(textOf('plan.yaml')).toBe(text(w.path('ok')));
  expect(textOf('inputs.json')).toBe('{\n  "who": "Ada"\n}\n');
  expect(textOf('files/made/d/a.txt')).toBe('hello Ada\n');
  expect(textOf('outputs/big/stdout.txt')).toBe('x'.repeat(100_000));
  expect(textOf('logs/run-1/made#1.1.log')).toBe('said\n');
  expect(JSON.parse(textOf('view.json'))).toMatchObject({ plan_id: id, run: 2, state: { status: 'completed' } });
  const events = textOf('timeline.jsonl')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  expect(events.map(({ seq }) => seq)).toEqual(events.map((_, i) => i + 1));
  expect(manifest).toMatchObject({ schema_version: 1, plan_id: id, run: 2, state: { status: 'completed' } });
  const { 'manifest.json': _, ...listed } = files;
  expect(manifest.files.map(({ path }: { path: string }) => path).sort()).toEqual(Object.keys(listed).sort());
  for (const { path, bytes, sha256: hash } of manifest.files)
    expect([path, bytes, hash]).toEqual([path, files[path]!.length, sha256(files[path]!)]);
});

test('what is gone or was changed is told, and no download passes for what it was', async () => {
  const w = witness();
  const id = await world.create(text(w.path('ok')), { inputs: { who: 'Bob' } });
  await world.reaches(id, 'failed');
  const artifacts = await world.service.artifacts(caller, id);
  const pathOf = (task: string) => {
    const { sha256 } = artifacts.find((artifact) => artifact.task === task)!;
    return { sha256, path: join(world.home, 'artifacts', sha256.slice(0, 2), sha256) };
  };
  const [made, big] = [pathOf('made'), pathOf('big')];
  expect((await world.service.artifact(caller, id, big.sha256)).bytes).toBe(100_000);
  rmSync(made.path);
  writeFileSync(big.path, 'other');
  const { files, manifest } = await bundleOf(id);
  expect(files).not.toHaveProperty('files/made/d/a.txt');
  const problems = manifest.files.filter(({ problem }: { problem?: string }) => problem);
  expect(problems.map(({ path, problem }: { path: string; problem: string }) => [path, problem]).sort()).toEqual([
    ['files/made/d/a.txt', 'it is gone'],
    ['outputs/big/stdout.txt', `it was changed; it was ${big.sha256}`],
  ]);
  await expect(world.service.artifact(caller, id, big.sha256)).rejects.toMatchObject({
    code: 'OUTPUT_GONE',
    message: expect.stringContaining('was changed after it was stored'),
  });
  await expect(world.service.output(caller, id, 'big', 'stdout')).rejects.toMatchObject({ code: 'OUTPUT_GONE' });
});

test('a plan of another organisation has none', async () => {
  const id = await world.create('plan: 1\nname: p\ntasks: { a: { run: "true" } }\n');
  const other = { ...caller, principal: { ...caller.principal, org_id: 'other' } };
  await expect(world.service.bundle(other, id)).rejects.toMatchObject({ code: 'PLAN_NOT_FOUND' });
});
