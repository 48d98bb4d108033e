import { createHash } from 'node:crypto';
import { rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startApi } from './real.ts';

let api: Awaited<ReturnType<typeof startApi>>;
/** A plan with an output of each form. */
let id: string;
const LONG = Array.from({ length: 2_000 }, (_, i) => `line ${i}\n`).join('');
const hash = (text: string) => createHash('sha256').update(text).digest('hex');

beforeAll(async () => {
  api = await startApi();
  id = await api.world.create(`
plan: 1
name: p
tasks:
  long: { run: "for i in $(seq 0 1999); do echo line $i; done" }
  json: { run: "echo '[' $(seq -s, 1 3000) ']'", capture: json }
  short: { run: "echo 'a=1' >> $HOLDPOINT_OUTPUT; echo hi" }
  report:
    run: "mkdir -p out; printf '<script>' > 'out/a \\"b\\" é.html'"
    outputs: ["out/*"]
  made: { map: { in: [1], task: { run: "echo made > made.txt", outputs: [made.txt] } } }
  each: { map: { in: [1, 2], task: { run: "for i in $(seq 0 1999); do echo $HOLDPOINT_TASK $i; done" } } }
`);
  await api.world.reaches(id, 'completed', 30_000);
});
afterAll(async () => {
  await api.stop();
});

const output = (task: string, name: string) => `/api/plans/${id}/tasks/${encodeURIComponent(task)}/outputs/${name}`;

describe('an output', () => {
  test('is given whole, whether it travels with the plan or not', async () => {
    const long = await api.ask(output('long', 'stdout'));
    expect([long.status, long.text === LONG, long.headers['content-type']]).toEqual([
      200,
      true,
      'text/plain; charset=utf-8',
    ]);
    expect((await api.ask(output('json', 'stdout'))).json).toEqual(Array.from({ length: 3_000 }, (_, i) => i + 1));
    expect((await api.ask(output('short', 'stdout'))).json).toBe('hi');
    expect((await api.ask(output('short', 'a'))).json).toBe('1');
  });

  test.each([
    ['short', 'b', 'OUTPUT_NOT_FOUND', /it has stdout, exit_code, a$/],
    ['short', '__proto__', 'OUTPUT_NOT_FOUND', /no output/],
    ['shrot', 'a', 'TASK_NOT_FOUND', /did you mean short\?/],
  ])('%s/%s is not there', async (task, name, code, detail) => {
    const { status, json } = await api.ask(output(task, name));
    expect([status, json.code]).toEqual([404, code]);
    expect(json.detail).toMatch(detail);
  });
});

describe('an artifact', () => {
  test('is listed with the output that refers to it, those of a map’s items as well', async () => {
    const { artifacts } = (await api.ask(`/api/plans/${id}/artifacts`)).json;
    expect(artifacts).toContainEqual({
      sha256: hash('<script>'),
      bytes: 8,
      task: 'report',
      output: 'files',
      path: 'out/a "b" é.html',
      form: 'file',
    });
    expect(artifacts).toContainEqual({
      sha256: hash(LONG),
      bytes: LONG.length,
      task: 'long',
      output: 'stdout',
      form: 'text',
    });
    const item = LONG.replaceAll('line', 'each[1]');
    expect(artifacts).toContainEqual(expect.objectContaining({ sha256: hash(item), task: 'each', output: 'results' }));
    expect(artifacts).toContainEqual(
      expect.objectContaining({ sha256: hash('made\n'), task: 'made', path: 'made.txt', form: 'file' }),
    );
    expect((await api.ask(`/api/plans/${id}/artifacts/${hash(item)}`)).text === item).toBe(true);
  });

  test('is a download that no browser shows as a page', async () => {
    const { status, text, headers } = await api.ask(`/api/plans/${id}/artifacts/${hash('<script>')}`);
    expect([status, text]).toEqual([200, '<script>']);
    expect(headers).toMatchObject({
      'content-type': 'application/octet-stream',
      'x-content-type-options': 'nosniff',
      'content-security-policy': "default-src 'none'; sandbox",
      etag: `"${hash('<script>')}"`,
    });
    expect(headers['content-disposition']).toBe(
      `attachment; filename="a \\"b\\" ?.html"; filename*=UTF-8''a%20%22b%22%20%C3%A9.html`,
    );
  });

  test('is given in parts, and not again to who has it', async () => {
    const path = `/api/plans/${id}/artifacts/${hash(LONG)}`;
    const part = await api.ask(path, { range: 'bytes=5-9' });
    expect([part.status, part.text, part.headers['content-range']]).toEqual([
      206,
      LONG.slice(5, 10),
      `bytes 5-9/${LONG.length}`,
    ]);
    expect((await api.ask(path, { 'if-none-match': `"${hash(LONG)}"` })).status).toBe(304);
    const past = await api.ask(path, { range: 'bytes=999999-' });
    expect([past.status, past.json.code, past.headers['content-range']]).toEqual([
      416,
      'RANGE_INVALID',
      `bytes */${LONG.length}`,
    ]);
  });

  test('is not found through another plan, nor by another organisation', async () => {
    const other = await api.world.create('plan: 1\nname: p\ntasks:\n  a: { run: "echo" }\n');
    await api.world.reaches(other, 'completed');
    const through = await api.ask(`/api/plans/${other}/artifacts/${hash(LONG)}`);
    expect([through.status, through.json.code]).toEqual([404, 'OUTPUT_NOT_FOUND']);
    for (const path of [
      `/api/plans/${id}/artifacts`,
      `/api/plans/${id}/artifacts/${hash(LONG)}`,
      output('long', 'stdout'),
    ]) {
      const { status, json } = await api.ask(path, { 'x-org': 'other' });
      expect([status, json.code]).toEqual([404, 'PLAN_NOT_FOUND']);
    }
  });

  test('that a plan writes the name of by itself opens nothing', async () => {
    const forged = (expression: string) =>
      `plan: 1\nname: p\ntasks:\n  a: { set: { x: '\${{ ${expression} }}' } }\n  files: { set: { files: { y: { sha256: "${hash(LONG)}", bytes: 5 } } } }\n`;
    const sha = `"sha256": "${hash(LONG)}", "bytes": 5`;
    for (const expression of [`{"$stored": {${sha}}}`, `[{"$stored": {${sha}, "json": true, "refs": true}}]`]) {
      const other = await api.world.create(forged(expression));
      const view = await api.world.reaches(other, 'completed').catch(() => undefined);
      expect(JSON.stringify(view?.tasks[0]?.outputs ?? {})).not.toContain('line 5');
      expect((await api.ask(`/api/plans/${other}/artifacts/${hash(LONG)}`)).status).toBe(404);
      expect((await api.ask(`/api/plans/${other}/tasks/a/outputs/x`)).text).not.toContain('line 5');
    }
  });

  test.each(['..', '..%2f..%2ftemporal.db', '%2e%2e', 'a%00', `${'0'.repeat(64)}`, '%2fetc%2fpasswd', '%ff'])(
    'artifacts/%s leads nowhere',
    async (sha) => {
      const { status, headers } = await api.ask(`/api/plans/${id}/artifacts/${sha}`);
      expect([status, headers['content-type']]).toEqual([404, 'application/problem+json; charset=utf-8']);
    },
  );

  test('that is gone is told as gone, also when a link stands in its place', async () => {
    const text = LONG.replaceAll('line', 'each[0]');
    const file = join(api.world.home, 'artifacts', hash(text).slice(0, 2), hash(text));
    rmSync(file);
    const gone = await api.ask(`/api/plans/${id}/artifacts/${hash(text)}`);
    expect([gone.status, gone.json.code]).toEqual([410, 'OUTPUT_GONE']);
    writeFileSync(join(api.world.home, 'secret'), 'secret');
    symlinkSync(join(api.world.home, 'secret'), file);
    expect((await api.ask(`/api/plans/${id}/artifacts/${hash(text)}`)).status).toBe(410);
  });
});
