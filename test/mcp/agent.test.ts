import { afterAll, beforeAll, expect, test } from 'vitest';
import { MOST_OUTPUT_BYTES, outputsOf } from '../../src/mcp/outputs.ts';
import { PLAN_FILES, SCHEMA_URI } from '../../src/mcp/plan-files.ts';
import { TOOLS } from '../../src/mcp/tools.ts';
import { startApi } from '../api/real.ts';
import { until } from '../support/world.ts';
import { rpcClient, type Wire } from './rpc.ts';

let api: Awaited<ReturnType<typeof startApi>>;
beforeAll(async () => {
  api = await startApi();
});
afterAll(() => api.stop());

const client = () => rpcClient(api.url);
async function told(name: string, args: object): Promise<Wire> {
  const { isError, body } = await client().tool(name, args);
  expect(isError, JSON.stringify(body)).toBe(false);
  return body;
}
async function refused(name: string, args: object): Promise<string> {
  const { isError, body } = await client().tool(name, args);
  expect(isError, JSON.stringify(body)).toBe(true);
  return body.error.message;
}
const create = async (plan: object): Promise<string> => (await told('plan_create', { plan })).plan_id;
/** The tools that the answer says to use next. */
const next = ({ next_steps, message }: Wire) => [...new Set(String(next_steps ?? message).match(/plan_[a-z]+/g))];

test('a plan with an approval and a failure is brought to its end by what the tools say', async () => {
  const build = (run: string) => ({ needs: ['test'], run });
  const plan = (run: string) => ({
    plan: 1,
    name: 'release',
    tasks: {
      test: { run: 'echo tested' },
      build: build(run),
      ship: { needs: ['build'], approve: 'Ship it?' },
      deploy: { needs: ['ship'], run: 'echo ${{ tasks.test.outputs.stdout }}; echo x > out.txt', outputs: ['out.txt'] },
    },
  });
  const wrong = plan('ls /nonexistent-directory');
  expect((await told('plan_validate', { plan: wrong })).questions).toMatchObject([{ task: 'ship' }]);
  const made = await told('plan_create', { plan: wrong });
  expect(next(made)).toEqual(['plan_wait']);
  const { plan_id } = made;

  const failed = await told('plan_wait', { plan_id });
  expect(failed).toMatchObject({ state: 'failed', current_task: 'build', outputs: { test: { stdout: 'tested' } } });
  expect(next(failed)).toEqual(['plan_logs', 'plan_resume', 'plan_retry']);
  expect((await told('plan_logs', { plan_id, task: failed.current_task })).text).toContain('/nonexistent-directory');

  const mended = { plan_id, plan: plan('echo built') };
  const preview = await told('plan_resume', { ...mended, dry_run: true });
  expect([preview.reuse, preview.run]).toEqual([['test'], ['build', 'ship', 'deploy']]);
  expect(next(await told('plan_resume', mended))).toEqual(['plan_wait']);

  const asks = await told('plan_wait', { plan_id });
  expect(asks).toMatchObject({
    waited: 'needs_attention',
    questions: [{ task: 'ship', options: ['approve', 'reject'] }],
  });
  expect(asks.outputs).toMatchObject({ build: { stdout: 'built' } });
  expect(asks.next_steps).toContain('until: "ended"');
  expect(await refused('plan_resume', { plan_id })).toContain('answer what it asks');
  expect(next(await told('plan_answer', { plan_id, choice: 'approve' }))).toEqual(['plan_wait']);

  const done = await told('plan_wait', { plan_id });
  expect(done).toMatchObject({ state: 'completed', outputs: { deploy: { stdout: 'tested' } }, outputs_left_out: 0 });
  expect(done.files).toMatchObject([{ path: 'out.txt' }]);
  expect(next(done)).toEqual(['plan_create']);
  for (const tool of ['plan_resume', 'plan_retry'])
    expect(await refused(tool, { plan_id })).toContain('create a new plan');
});

test('a plan at work tells no outputs yet', async () => {
  const plan_id = await create({
    plan: 1,
    name: 'at work',
    tasks: { a: { set: { x: 1 } }, b: { needs: ['a'], run: 'sleep 300' } },
  });
  const status = await until('b runs', async () => {
    const body = await told('plan_status', { plan_id });
    return body.current_task === 'b' && body;
  });
  expect(status).not.toHaveProperty('outputs');
  await told('plan_stop', { plan_id });
});

test('values and choices answer the one question that is open; of several, one is to be named', async () => {
  const form = await create({
    plan: 1,
    name: 'form',
    tasks: { who: { input: { prompt: 'How many?', form: { n: { type: 'integer', minimum: 1 } } } } },
  });
  await told('plan_wait', { plan_id: form });
  expect(await refused('plan_answer', { plan_id: form, values: { n: 0 } })).toContain('n');
  expect((await told('plan_answer', { plan_id: form, values: { n: 3 } })).record.values).toEqual({ n: 3 });
  expect((await told('plan_wait', { plan_id: form })).outputs).toMatchObject({ who: { values: { n: 3 } } });

  const held = await create({ plan: 1, name: 'held', tasks: { a: { run: 'false', on_failure: 'hold' } } });
  await told('plan_wait', { plan_id: held });
  await told('plan_answer', { plan_id: held, choice: 'skip' });
  expect((await told('plan_wait', { plan_id: held })).state).toBe('completed');

  const two = await create({ plan: 1, name: 'two', tasks: { a: { approve: 'A?' }, b: { approve: 'B?' } } });
  await until('both ask', async () => (await told('plan_status', { plan_id: two })).questions.length === 2);
  for (const given of [{}, { choice: 'approve' }])
    expect(await refused('plan_answer', { plan_id: two, ...given })).toMatch(/name one of a\.1, b\.1/);
  await told('plan_answer', { plan_id: two, question: 'a', choice: 'approve' });
  await told('plan_answer', { plan_id: two });
  expect((await told('plan_wait', { plan_id: two })).state).toBe('completed');
});

test('the plan file that plan_create shows is one, and the schema of all of them can be read', async () => {
  const example = /^A plan file: (\{.*\})\.$/m.exec(PLAN_FILES)![1]!;
  const { description } = TOOLS.find(({ name }) => name === 'plan_create')!.listed;
  expect(description).toContain(example);
  const valid = await told('plan_validate', { plan: example, inputs: { version: '1' } });
  expect([valid.tasks, valid.warnings]).toEqual([['build', 'ship', 'push'], []]);
  const { resources } = await client().rpc('resources/list');
  expect(resources.map(({ uri }: Wire) => uri)).toEqual([SCHEMA_URI]);
  const { contents } = await client().rpc('resources/read', { uri: SCHEMA_URI });
  expect(contents).toMatchObject([{ uri: SCHEMA_URI, mimeType: 'application/schema+json' }]);
  expect(JSON.parse(contents[0].text).properties).toHaveProperty('tasks');
});

test('outputs are the newest, and no more than there is room for', () => {
  const task = (id: string, ended_at: string, outputs: object) =>
    ({ id, status: 'succeeded', ended_at, outputs }) as never;
  const long = 'x'.repeat(MOST_OUTPUT_BYTES / 2);
  const { outputs, outputs_left_out } = outputsOf([
    task('old', '2026-01-01', { x: long }),
    task('middle', '2026-01-02', { x: long }),
    task('new', '2026-01-03', { x: 1 }),
    task('empty', '2026-01-04', {}),
  ]);
  expect(Object.keys(outputs)).toEqual(['new', 'middle']);
  expect(outputs_left_out).toBe(1);
});

test('of a plan with very much open, an agent is told the beginning, and how much more there is', async () => {
  const some = (what: string, task: object) => Array.from({ length: 60 }, (_, i) => [`${what}${i}`, task]);
  const tasks = Object.fromEntries([...some('wait', { wait: '1h' }), ...some('ask', { approve: 'Go?' })]);
  const plan_id = await create({ plan: 1, name: 'large', tasks });
  const status = await until('all ask', async () => {
    const body = await told('plan_status', { plan_id });
    return body.left_out?.waiting_for === 70 && body;
  });
  expect(status.left_out).toEqual({ tasks: 70, questions: 10, waiting_for: 70 });
  for (const list of ['tasks', 'questions', 'waiting_for']) expect(status[list]).toHaveLength(50);
  await told('plan_stop', { plan_id });
});
