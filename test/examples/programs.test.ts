import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Client } from '@temporalio/client';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { readEngine } from '../../src/engine/engine-record.ts';
import { connectClient } from '../../src/temporal/connection.ts';
import { tempDir, until } from '../support/world.ts';
import { type ExampleRunner, exampleRunner, ROOT } from './run-example.ts';

const DONE = 30;
const FAILED = 3;

let runner: ExampleRunner;
let catalog: string;
beforeAll(async () => {
  runner = await exampleRunner();
  const temporal = readEngine(runner.home.config)!.temporal_ui!;
  // As its reader would where the address is another.
  const text = readFileSync(join(ROOT, 'examples/programs/temporal.yaml'), 'utf8');
  catalog = join(tempDir('catalog'), 'temporal.yaml');
  writeFileSync(catalog, text.replaceAll('http://127.0.0.1:8233', temporal));
  const scripts = Array.from({ length: DONE + FAILED }, (_, i) => (i < DONE ? '{ set: { x: 1 } }' : '{ run: exit 1 }'));
  const ids = await Promise.all(scripts.map((a) => runner.api.create(`plan: 1\nname: some\ntasks:\n  a: ${a}\n`)));
  for (const id of ids) await runner.ends(id);
  await until('all are listed', async () => (await listed("WorkflowType = 'plan'")).length === DONE + FAILED);
}, 300_000);
afterAll(() => runner.home.end());

/** As Temporal's own client lists them. */
async function listed(query: string): Promise<string[]> {
  const connection = await connectClient({ address: runner.engine.temporal });
  try {
    const ids: string[] = [];
    for await (const { workflowId } of new Client({ connection }).workflow.list({ query })) ids.push(workflowId);
    return ids;
  } finally {
    await connection.close();
  }
}

async function run(...args: string[]) {
  const given = args.map((arg) => (arg.endsWith('.plasm') ? join(ROOT, 'examples/programs', arg) : arg));
  return await runner.home.cli('plasm', 'run', '--catalog', catalog, ...given);
}
const json = async (...args: string[]) => {
  const { code, out, err } = await run(...args, '--json');
  expect([code, code === 0 ? '' : err]).toEqual([0, '']);
  return JSON.parse(out);
};

test("workflows of Temporal's own HTTP API are paged through, each once, as many as its client lists", async () => {
  const before = await listed('');
  const ids: string[] = [];
  let pages = 0;
  for (let program = ['all.plasm']; program.length > 0; pages += 1) {
    const { rows, _meta } = await json(...program);
    expect(rows.length).toBeLessThanOrEqual(12);
    ids.push(...rows.map(({ id }: { id: string }) => id));
    const [{ page }] = _meta.plasm.results;
    program = page ? ['-e', `page(${page})`] : [];
  }
  expect(pages).toBeGreaterThanOrEqual(Math.max(3, Math.ceil(ids.length / 12)));
  expect(new Set(ids).size).toBe(ids.length);
  expect(before.filter((id) => !ids.includes(id))).toEqual([]);
});

test('plans that failed are found, with their rows in order', async () => {
  const { rows } = await json('failed.plasm');
  expect(rows).toHaveLength(FAILED);
  expect(Object.keys(rows[0])).toEqual(['id', 'events', 'closed']);
  const failed = await listed("WorkflowType = 'plan' AND HoldpointState = 'failed'");
  expect(rows.map(({ id }: { id: string }) => id).toSorted()).toEqual(failed.toSorted());
  const [one] = (await json('-e', `Workflow("${rows[0].id}")[id, status]`)).rows;
  expect(one).toEqual({ id: rows[0].id, status: 'failed' });
});

test('what reads every page is reviewed, runs in the background by its token, and counts them by type and state', async () => {
  expect(await run('types.plasm')).toMatchObject({ code: 5, err: expect.stringContaining('has to be reviewed') });
  const { _meta } = await json('--mode', 'plan', 'types.plasm');
  const token = _meta.plasm.plan_commit_ref;
  const { code, out } = await run('--plan-commit-ref', token, '--wait', '--accept', 'ndjson', 'types.plasm');
  expect(code).toBe(0);
  const rows = out
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  const plans = (status: string) => rows.find((row) => row.type === 'plan' && row.status === status);
  expect(plans('failed')).toMatchObject({ n: FAILED });
  expect(plans('completed').n).toBeGreaterThanOrEqual(DONE);
  expect(rows.map(({ n }) => n)).toEqual(rows.map(({ n }) => n).toSorted((a: number, b: number) => b - a));
});

test('namespaces are another entity of the catalog', async () => {
  const { rows } = await json('-e', 'Namespace.limit(5)');
  expect(rows).toContainEqual({ name: 'default', state: 'registered', retention: expect.stringMatching(/^\d+s$/) });
});
