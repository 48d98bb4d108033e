import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { caller, startWorld, tempDir, until, witness } from '../support/world.ts';

let world: Awaited<ReturnType<typeof startWorld>>;
beforeAll(async () => {
  world = await startWorld();
});
afterAll(async () => {
  await world.stop();
});

test('a running task tells when it last wrote something, at no cost in history (case 22)', async () => {
  const w = witness();
  const id = await world.create(
    `plan: 1\nname: loud\ntasks:\n  a: { run: "until test -f ${w.path('ok')}; do echo x; sleep 0.1; done" }\n`,
  );
  const first = await until('it writes', async () => (await world.task(id, 'a')).last_output_at);
  const events = (await world.history(id)).length;
  await until('it goes on writing', async () => {
    const { last_output_at } = await world.task(id, 'a');
    return last_output_at !== undefined && last_output_at > first;
  });
  expect((await world.history(id)).length).toBe(events);
  writeFileSync(w.path('ok'), '');
  await world.reaches(id, 'completed');
  expect(await world.task(id, 'a')).not.toHaveProperty('last_output_at');
});

test('a task that no worker has taken is queued', async () => {
  const id = await world.create('plan: 1\nname: q\ntasks:\n  a: { run: sleep 60 }\n');
  await until('a runs', async () => (await world.task(id, 'a')).last_output_at);
  expect(await world.task(id, 'a')).not.toHaveProperty('queued');
  await world.command(id, 'stop');
  await world.reaches(id, 'stopped');
  const { workflowService } = world.client;
  const started = workflowService.startWorkflowExecution.bind(workflowService);
  const start = vi.spyOn(workflowService, 'startWorkflowExecution');
  start.mockImplementationOnce(((request: { input: { payloads: { data: Uint8Array }[] } }) => {
    const [given] = request.input.payloads;
    const input = { ...JSON.parse(Buffer.from(given!.data).toString()), task_queue: 'nobody-polls-this' };
    given!.data = Buffer.from(JSON.stringify(input));
    return started(request as never);
  }) as never);
  const waiting = await world.create('plan: 1\nname: q\ntasks:\n  a: { run: "true" }\n');
  start.mockRestore();
  expect(await until('it is queued', async () => (await world.task(waiting, 'a')).queued)).toBe(true);
  await world.command(waiting, 'stop');
});

test('one description per read, and none when nothing runs', async () => {
  const w = witness();
  const id = await world.create(
    `plan: 1\nname: d\ntasks:\n  a: { run: "until test -f ${w.path('ok')}; do sleep 0.05; done" }\n`,
  );
  await until('a runs', async () => (await world.task(id, 'a')).status === 'running');
  const describing = vi.spyOn(world.client.workflowService, 'describeWorkflowExecution');
  await world.read(id);
  expect(describing).toHaveBeenCalledTimes(1);
  writeFileSync(w.path('ok'), '');
  await world.reaches(id, 'completed');
  describing.mockClear();
  await world.read(id);
  expect(describing).not.toHaveBeenCalled();
  describing.mockRestore();
});

test('outputs, files and values go from task to task, and an attempt leaves no script behind', async () => {
  const directory = tempDir('flow');
  const id = await world.create(
    `
plan: 1
name: flow
inputs: { v: { default: "1.2" } }
tasks:
  make:
    run: |
      mkdir -p dist
      echo built > "dist/app-$V.txt"
      echo "version=$V" >> "$HOLDPOINT_OUTPUT"
      echo '{"list": [1, 2, 3]}'
    env: { V: "1.2" }
    capture: json
    outputs: ["dist/app-\${{ inputs.v }}.txt"]
  use:
    needs: make
    if: "tasks.make.outputs.stdout.list[2] == 3"
    run: "echo \${{ tasks.make.outputs.version }} \${{ tasks.make.outputs.files['dist/app-1.2.txt'].bytes }}; cat *.txt"
    working_directory: dist
    capture: lines
`,
    { place: { directory, env: { PATH: process.env.PATH! } } },
  );
  await world.reaches(id, 'completed');
  expect((await world.task(id, 'use')).outputs).toEqual({ stdout: ['1.2 6', 'built'], exit_code: 0 });
  expect(readdirSync(join(world.home, 'runs', id, 'scripts'))).toEqual([]);
});

test('bytes that text can hardly hold pass through outputs, errors and views', async () => {
  const id = await world.create(`
plan: 1
name: bytes
tasks:
  a:
    run: |
      printf 'a\\0b\\377\\r\\033[31m'
      printf 'v=\\0\\377' > $HOLDPOINT_OUTPUT
  b:
    needs: a
    run: |
      printf 'no\\0\\377 \\360\\237' >&2
      exit 1
`);
  const view = await world.reaches(id, 'failed');
  expect(view.tasks[0]!.outputs).toEqual({ stdout: 'a\0b\ufffd\r\u001b[31m', exit_code: 0, v: '\0\ufffd' });
  expect(view.error).toMatchObject({ task: 'b', message: 'exit code 1: no\0\ufffd \ufffd' });
  expect((await world.service.events(caller, id, 0)).at(-1)).toMatchObject({ error: { task: 'b' } });
});
