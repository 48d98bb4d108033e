import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { ENGINE_QUEUE, PLAN_WORKFLOW, workflowId } from '../../src/contract/names.ts';
import type { PlanInput } from '../../src/contract/payloads.ts';
import { mustConform } from '../support/conforms.ts';
import { caller } from '../support/world.ts';
import { startApi } from './real.ts';

let api: Awaited<ReturnType<typeof startApi>>;
let world: typeof api.world;
beforeAll(async () => {
  api = await startApi();
  world = api.world;
});
afterAll(() => api.stop());

/** Every answer has to be one that the API's description has. */
async function ask(path: string, headers: Record<string, string> = {}) {
  const answer = await api.ask(path, headers);
  mustConform(`GET ${path}`, answer);
  return answer;
}
const fileOf = (id: string, headers = {}) => ask(`/api/plans/${id}/file`, headers);
const inputsOf = async (id: string) => (await ask(`/api/plans/${id}/inputs`)).json;

const TEXT = `# who is greeted
plan:   1
name: 'é "quoted"'
inputs:
  who: { type: string }
  n: { type: integer, default: 3 }
tasks:
  a: { run: "echo \${{ inputs.who }} \${{ inputs.n }}; test WORD = good" }
`;
const failed = async (text = TEXT, inputs: Record<string, string> = { who: 'Ada' }) => {
  const id = await world.create(text, { inputs });
  await world.reaches(id, 'failed');
  return id;
};

describe('the plan file', () => {
  test('is given as it came, to the byte, and once', async () => {
    const id = await failed();
    const { status, text, headers } = await fileOf(id);
    expect([status, text, headers['holdpoint-plan-file']]).toEqual([200, TEXT, 'as-given']);
    expect(headers['content-type']).toBe('text/yaml; charset=utf-8');
    const again = await fileOf(id, { 'if-none-match': headers.etag! });
    expect([again.status, again.text, again.headers.etag]).toEqual([304, '', headers.etag]);
  });

  test('is that of the latest run', async () => {
    const id = await failed();
    const edited = TEXT.replace('WORD', 'good');
    await world.service.nextRun(caller, id, { mode: 'resume', plan: edited });
    await world.reaches(id, 'completed');
    expect((await fileOf(id)).text).toBe(edited);
  });

  test('that was too long to be kept is written anew: what it was read as', async () => {
    const tasks = Array.from({ length: 450 }, (_, i) => `  t${i}: { set: { x: "yes: ${i}" } }\n`).join('');
    const id = await failed(`${TEXT}${tasks}# ${'long '.repeat(8_000)}`.slice(0, 60_000));
    const { status, text, headers } = await fileOf(id);
    expect([status, headers['holdpoint-plan-file']]).toEqual([200, 'rewritten']);
    const definition = await world.service.definition(caller, id);
    expect(definition.tasks.length).toBe(451);
    expect(parse(text)).toEqual(definition);
    expect((await fileOf(id, { 'if-none-match': headers.etag! })).status).toBe(304);
  });
});

describe('the inputs', () => {
  test('are told with their defaults, and which of them somebody gave; of the latest run', async () => {
    const id = await failed();
    expect(await inputsOf(id)).toEqual({ inputs: { who: 'Ada', n: 3 }, given: ['who'] });
    await world.service.nextRun(caller, id, { mode: 'retry', inputs: { n: 4 } });
    await world.reaches(id, 'failed');
    const { inputs, given } = await inputsOf(id);
    expect([inputs, given.sort()]).toEqual([{ who: 'Ada', n: 4 }, ['n', 'who']]);
  });

  test('of a plan whose start did not tell count as given, as a next run takes them', async () => {
    const [started] = await world.history(await failed());
    const data = started!.workflowExecutionStartedEventAttributes!.input!.payloads![0]!.data!;
    const { inputs_given: _, ...old } = JSON.parse(Buffer.from(data).toString()) as PlanInput;
    const plan_id = randomUUID();
    await world.client.workflow.start(PLAN_WORKFLOW, {
      workflowId: workflowId('local', plan_id),
      taskQueue: ENGINE_QUEUE,
      args: [{ ...old, plan_id }],
    });
    expect(await inputsOf(plan_id)).toEqual({ inputs: { who: 'Ada', n: 3 }, given: ['who', 'n'] });
  });
});

test.each(['file', 'inputs'])('%s of a plan that is not there', async (what) => {
  const { status, json } = await ask(`/api/plans/${randomUUID()}/${what}`);
  expect([status, json.code]).toEqual([404, 'PLAN_NOT_FOUND']);
  const read = await ask(`/api/plans/${randomUUID()}/${what}`, { 'x-permissions': 'plan:create' });
  expect([read.status, read.json.code]).toEqual([403, 'PLAN_FORBIDDEN']);
});
