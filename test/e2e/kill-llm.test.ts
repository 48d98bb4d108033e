import { afterEach, expect, test } from 'vitest';
import { http, newHome } from '../support/engine.ts';
import { type LlmStub, llmStub } from '../support/llm-stub.ts';
import { until } from '../support/world.ts';

let home: ReturnType<typeof newHome>;
let stub: LlmStub;
afterEach(async () => {
  await home.end();
  stub.stop();
});

test('kill -9 between two calls of an attempt: what was answered is not asked again, nor is the task counted as failed', async () => {
  let killed = false;
  stub = await llmStub(({ user, messages }) => {
    if (user === 'before') return 'done before';
    if (messages.length === 1) return '{"colour": "green"}';
    return killed ? '{"colour": "red"}' : 'silence';
  });
  home = newHome({ HOLDPOINT_LLM_BASE_URL: stub.base_url, HOLDPOINT_LLM_MODEL: 'stub' });
  const engine = await home.up();
  const id = await http(engine.url).create(`
plan: 1
name: paid
tasks:
  before: { llm: before }
  pick:
    needs: [before]
    llm: { prompt: Which colour?, output: { type: object, properties: { colour: { enum: [red] } }, required: [colour] } }
`);
  await until('it asks again', () => stub.calls.length === 3);
  await engine.kill();
  killed = true;
  const { url } = await home.up();
  await until('it completes', async () => (await http(url).state(id)) === 'completed', 60_000);
  const [, pick] = (await http(url).get(`/api/plans/${id}`)).json.tasks;
  expect(pick).toMatchObject({ attempt: 1, outputs: { json: { colour: 'red' }, usage: { calls: 2 } } });
  // The one that nobody answered is asked again, by the same key; no other.
  expect(stub.calls.map(({ messages }) => messages.length)).toEqual([1, 1, 3, 3]);
  const keys = stub.calls.map(({ headers }) => headers['idempotency-key']);
  expect(keys[2]).toBe(keys[3]);
  expect(new Set(keys).size).toBe(3);
  expect(stub.answered.calls).toBe(3);
}, 120_000);
