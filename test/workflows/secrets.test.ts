import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { type WebServer, webServer } from '../activities/http/web-server.ts';
import { historyText } from '../support/history-text.ts';
import { caller, startWorld } from '../support/world.ts';

const VALUE = 'hunter2/correct horse\nsecond-line-of-it';
let world: Awaited<ReturnType<typeof startWorld>>;
let server: WebServer;
beforeAll(async () => {
  world = await startWorld();
  // Says back all that it was asked, as servers do that one debugs with.
  server = await webServer((request, response) => {
    const { url, headers } = request;
    response.setHeader('x-echo', String(headers.authorization));
    response.setHeader('content-type', 'application/json');
    response.statusCode = url!.includes('fail') ? 400 : 200;
    response.end(JSON.stringify({ url, headers, body: server.seen.at(-1)!.body }));
  });
});
afterEach(() => {
  delete process.env.HOLDPOINT_SECRET_KEY;
  delete process.env.HOLDPOINT_SECRET_LINE;
});
afterAll(async () => {
  server.stop();
  await world.stop();
});

const forms = [VALUE, 'hunter2', 'second-line', encodeURIComponent(VALUE), Buffer.from(VALUE).toString('base64')];
const filesBelow = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((name) => join(folder, name))
    .filter((path) => statSync(path).isFile());

/** The whole history, payloads decoded; what a reader is told; every file of the engine's home. */
async function nowhere(id: string): Promise<void> {
  const payloads = historyText(await world.history(id));
  const view = JSON.stringify(await world.read(id));
  const files = filesBelow(world.home).map((path) => readFileSync(path, 'utf8'));
  for (const form of forms.map((form) => JSON.stringify(form).slice(1, -1)))
    for (const text of [payloads, view]) expect(text).not.toContain(form);
  for (const form of forms) for (const text of files) expect(text).not.toContain(form);
}

test('a secret reaches the command and the request, and is nowhere else: history, view, logs, stored outputs, errors (case 43)', async () => {
  process.env.HOLDPOINT_SECRET_KEY = VALUE;
  process.env.HOLDPOINT_SECRET_LINE = 'one-line-of-hunter2';
  const id = await world.create(`
plan: 1
name: secrets
secrets: [KEY, LINE]
tasks:
  script: { run: 'echo "$KEY"; echo "$KEY" >&2; echo "$KEY" | base64 -w0; { echo "all<<END"; echo "<$KEY>"; echo END; } >> "$HOLDPOINT_OUTPUT"' }
  large: { run: 'for i in $(seq 2000); do echo "$KEY"; done' }
  wrong: { run: 'echo "no: $KEY" >&2; exit 3', on_failure: continue }
  ask:
    http:
      url: ${server.url}/path
      method: POST
      query: { q: "\${{ secrets.KEY }}" }
      headers: { authorization: "Bearer \${{ secrets.LINE }}" }
      body: { key: "\${{ secrets.KEY }}" }
  refused: { http: { url: "${server.url}/fail", query: { q: "\${{ secrets.KEY }}" } }, on_failure: continue }
`);
  const view = await world.reaches(id, 'completed', 40_000);
  const asked = server.seen.find(({ url }) => url.startsWith('/path'))!;
  expect(new URL(asked.url, server.url).searchParams.get('q')).toBe(VALUE);
  expect(JSON.parse(asked.body)).toEqual({ key: VALUE });
  const outputs = Object.fromEntries(view.tasks.map(({ id, outputs }) => [id, outputs]));
  expect(outputs.script).toMatchObject({ all: '<***>' });
  expect(outputs.ask).toMatchObject({ body: { body: expect.stringMatching(/^\{"key":"\*{3}/) } });
  expect(view.tasks.find(({ id }) => id === 'wrong')!.error).toMatchObject({ message: expect.stringContaining('***') });
  await nowhere(id);
});

test('a secret that the engine has not fails the task at once, by name; a next run that finds it goes on', async () => {
  const id = await world.create('plan: 1\nname: x\ntasks: { a: { run: test -n "$KEY", secrets: [KEY], retry: 3 } }');
  const view = await world.reaches(id, 'failed');
  expect(view.tasks[0]).toMatchObject({
    error: { message: expect.stringContaining('HOLDPOINT_SECRET_KEY') },
  });
  process.env.HOLDPOINT_SECRET_KEY = VALUE;
  await world.service.nextRun(caller, id, { mode: 'resume' });
  await world.reaches(id, 'completed');
  await nowhere(id);
});
