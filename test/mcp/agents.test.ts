import { afterAll, beforeAll, expect, test } from 'vitest';
import { readModels } from '../../src/activities/llm/models.ts';
import { startApi } from '../api/real.ts';
import { type LlmStub, llmStub } from '../support/llm-stub.ts';
import { until } from '../support/world.ts';
import { rpcClient } from './rpc.ts';

let api: Awaited<ReturnType<typeof startApi>>;
let stub: LlmStub;
beforeAll(async () => {
  stub = await llmStub(({ schema }) =>
    schema ? '{"intent":"question","scope":"full","needsBackend":false}' : 'With npm start.',
  );
  const settings = { baseUrl: stub.base_url, model: 'stub', modelsFile: undefined, key: () => 'sk-0123456789abcdef' };
  api = await startApi({ models: await readModels(settings) });
});
afterAll(async () => {
  await api.stop();
  stub.stop();
});

test('an agent has a message worked, and reads the answer', async () => {
  const { tool } = rpcClient(api.url, { headers: { 'x-org': 'mcp-agents' } });
  const chat_id = 'how';
  expect((await tool('agents_status', { chat_id })).body).toMatchObject({ running: false, status: null, agents: [] });
  const { body } = await tool('agents_run', { chat_id, message: 'How do I start it?' });
  expect(body).toMatchObject({ status: 'started', chat_id });
  const end = await until('it has completed', async () => {
    const now = (await tool('agents_status', { chat_id })).body;
    return now.status === 'completed' && now;
  });
  expect(end).toMatchObject({
    pipeline_run_id: body.pipeline_run_id,
    answer: 'With npm start.',
    agents: [
      { name: 'classify', status: 'completed' },
      { name: 'answer', status: 'completed' },
    ],
  });
});
