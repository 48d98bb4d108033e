import { Client } from '@temporalio/client';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { readEngine } from '../../src/engine/engine-record.ts';
import { connectClient } from '../../src/temporal/connection.ts';
import { until } from '../support/world.ts';
import { checkout, type ExampleRunner, exampleRunner, taskOf } from './run-example.ts';

let runner: ExampleRunner;
beforeAll(async () => {
  runner = await exampleRunner();
});
afterAll(() => runner.home.end());

const QUERY = "HoldpointPlan = 'counted'";

async function listed(): Promise<number> {
  const connection = await connectClient({ address: runner.engine.temporal });
  try {
    let n = 0;
    for await (const _ of new Client({ connection }).workflow.list({ query: QUERY })) n++;
    return n;
  } finally {
    await connection.close();
  }
}

test("workflows are counted over pages of Temporal's own HTTP API, as many as its client lists", async () => {
  const temporal = readEngine(runner.home.config)!.temporal_ui!;
  for (const script of ['true', 'true', 'true', 'true', 'true', 'exit 1', 'exit 1'])
    await runner.ends(await runner.api.create(`plan: 1\nname: counted\ntasks:\n  a: { run: "${script}" }\n`));
  await until('all are listed', async () => (await listed()) === 7);

  const id = await runner.start('temporal.yaml', checkout(), { temporal, page_size: 2, query: QUERY });
  const view = await runner.ends(id);
  expect(view.error).toBe(null);
  expect(taskOf(view, 'workflows').outputs).toMatchObject({ total: 1, succeeded: 1 });
  const report = runner.log(id, 'report');
  expect(report).toMatch(/^# Temporal \d+\.\d+\.\d+, cluster active$/m);
  expect(report).toContain(`## default: ${await listed()} workflows on 4 pages, kept for 3650 days`);
  expect(report).toContain('| plan | completed | 5 |');
  expect(report).toContain('| plan | failed | 2 |');
});

test('an address that the engine does not allow is refused, with what to set', async () => {
  const temporal = readEngine(runner.home.config)!.temporal_ui!.replace('127.0.0.1', '127.0.0.2');
  const view = await runner.ends(await runner.start('temporal.yaml', checkout(), { temporal }));
  const { host } = new URL(temporal);
  expect(view).toMatchObject({
    state: { status: 'failed' },
    error: { message: expect.stringContaining(`start the engine with HOLDPOINT_ALLOW_PRIVATE_HOSTS=${host}`) },
  });
});
