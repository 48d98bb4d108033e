import { execFileSync } from 'node:child_process';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { LlmReserved, LlmSettlement } from '../../src/activities/llm/ledger.ts';
import { readModels } from '../../src/activities/llm/models.ts';
import { secretSource } from '../../src/activities/secrets.ts';
import { statusOf } from '../../src/mcp/plan-status.ts';
import { historyText } from '../support/history-text.ts';
import { type LlmStub, llmStub } from '../support/llm-stub.ts';
import { caller, startWorld, until } from '../support/world.ts';

const KEY = 'sk-plan-0123456789abcdef';
let world: Awaited<ReturnType<typeof startWorld>>;
let stub: LlmStub;
const settled: LlmSettlement[] = [];

beforeAll(async () => {
  stub = await llmStub(({ user, schema }) => {
    if (user === 'slow') return { text: 'x'.repeat(10_000), pieces: 1_000, every_ms: 20 };
    if (user === 'bad') return { status: 400, error: `no: ${KEY}` };
    if (user === 'key') return `it is ${KEY}`;
    return schema ? '{"fit": true, "why": "it is short"}' : `You said: ${user}`;
  }, KEY);
  const models = await readModels({ baseUrl: stub.base_url, model: 'stub', modelsFile: undefined, key: () => KEY });
  const granted: LlmReserved = { granted: true };
  world = await startWorld({
    models,
    secrets: secretSource([], () => undefined, models.keys),
    ledgerOf: () => ({
      reserve: async () => granted,
      settle: async (settlement) => {
        settled.push(settlement);
      },
    }),
  });
});
afterAll(async () => {
  await world.stop();
  stub.stop();
});

describe('models in a plan', () => {
  test('answers go from task to task; the newest call is told; a resumed run asks nobody again', async () => {
    const id = await world.create(`
plan: 1
name: words
inputs: { text: { type: string, default: hello } }
tasks:
  one: { llm: "\${{ inputs.text }}" }
  two:
    needs: [one]
    llm:
      system: You are an editor
      prompt: "\${{ tasks.one.outputs.text }}"
      output: { type: object, properties: { fit: { type: boolean }, why: { type: string } }, required: [fit, why] }
  print: { needs: [two], if: tasks.two.outputs.json.fit, run: "echo \${{ tasks.two.outputs.json.why }}; test -f ok" }
`);
    await until('it has failed', async () => (await world.read(id)).state.status === 'failed');
    expect((await world.task(id, 'print')).error?.code).toBe('TASK_FAILED');
    expect(stub.calls.map(({ user }) => user)).toEqual(['hello', 'You said: hello']);
    const view = await world.read(id);
    const usage = (await world.task(id, 'two')).outputs as { usage: { last_call_at: number } };
    expect(statusOf(view).last_llm_call_at).toBe(new Date(usage.usage.last_call_at).toISOString());
    await world.service.nextRun(caller, id, { mode: 'resume' });
    await until('it has failed again', async () => {
      const { run, state } = await world.read(id);
      return run === 2 && state.status === 'failed';
    });
    expect(stub.calls).toHaveLength(2);
  });

  test('what a running task has called is told while it runs; stop ends it at once, and what came is counted', async () => {
    const id = await world.create('plan: 1\nname: slow\ntasks: { a: { llm: slow } }');
    await until('its call is told', async () => statusOf(await world.read(id)).last_llm_call_at);
    const began = Date.now();
    await world.command(id, 'stop');
    await world.reaches(id, 'stopped');
    const mine = settled.filter(({ scopes }) => scopes.plan === id);
    expect(mine).toMatchObject([{ estimated: true }]);
    expect(Date.now() - began).toBeLessThan(5_000);
  });

  test('a failed call tells what it was; the key is neither in the history nor in logs or outputs (case 43)', async () => {
    const id = await world.create(
      'plan: 1\nname: bad\ntasks: { a: { llm: key }, b: { llm: bad, on_failure: continue }, c: { llm: "${{ tasks.a.outputs.text }}", needs: [a] } }',
    );
    await world.reaches(id, 'completed');
    expect((await world.task(id, 'a')).outputs).toMatchObject({ text: 'it is ***' });
    const { error } = await world.task(id, 'b');
    expect(error).toMatchObject({ code: 'TASK_FAILED', details: { status: 400, calls: 1 } });
    const payloads = historyText(await world.history(id));
    expect(payloads).toContain('it is ***');
    expect(payloads).not.toContain(KEY);
    expect(JSON.stringify(await world.read(id))).not.toContain(KEY);
    expect(() => execFileSync('grep', ['-r', KEY, world.home])).toThrow();
  });

  test('200 calls at once in one plan', async () => {
    const before = stub.calls.length;
    const all = Array.from({ length: 200 }, (_, i) => i).join(', ');
    const id = await world.create(`
plan: 1
name: many
tasks:
  each: { map: { in: [${all}], max_parallel: 200, task: { llm: "number \${{ item }}" } } }
`);
    await world.reaches(id, 'completed', 60_000);
    expect(stub.calls.length - before).toBe(200);
    expect(settled.filter(({ scopes, id: call }) => scopes.plan === id && call).length).toBe(200);
  }, 90_000);
});
