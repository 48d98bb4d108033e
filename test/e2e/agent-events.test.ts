import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { WebSocket } from 'ws';
import type { PipelineEvent } from '../../src/service/agents/pipeline-events.ts';
import { http, newHome } from '../support/engine.ts';
import { type LlmStub, llmStub } from '../support/llm-stub.ts';
import { until } from '../support/world.ts';

const TOKENS = 10_000;
/** Has room for four agents' answers. */
const LIMIT = 4 * TOKENS + 5_000;

let home: ReturnType<typeof newHome>;
let engine: Awaited<ReturnType<typeof home.up>>;
let stub: LlmStub;
/** Whether whoever designs keeps silent. */
let hangs = false;
beforeAll(async () => {
  stub = await llmStub(({ schema, system }) => {
    if (hangs && system.includes('the designer')) return 'silence';
    const { intent } = (schema as { properties?: Record<string, object> } | undefined)?.properties ?? {};
    const text = intent
      ? '{"intent":"build","scope":"full","needsBackend":true}'
      : schema
        ? '{"approved":true,"issues":[]}'
        : 'done';
    return { text, input_tokens: TOKENS - 10, output_tokens: 10 };
  });
  home = newHome({ HOLDPOINT_LLM_BASE_URL: stub.base_url, HOLDPOINT_LLM_MODEL: 'stub' });
  engine = await home.up();
});
afterAll(async () => {
  await home.end();
  stub.stop();
});

interface Follower {
  seen: PipelineEvent[];
  leave(): void;
}

/** Follows a chat as a browser does. */
const FOLLOW = {
  SSE(chatId: string): Follower {
    const seen: PipelineEvent[] = [];
    const gone = new AbortController();
    void (async () => {
      const answer = await fetch(`${engine.url}/agents/events?chatId=${chatId}`, { signal: gone.signal });
      let text = '';
      for await (const chunk of answer.body!.pipeThrough(new TextDecoderStream())) {
        const blocks = (text + chunk).split('\n\n');
        text = blocks.pop()!;
        for (const block of blocks) {
          const fields = Object.fromEntries(block.split('\n').map((line) => line.split(/: ?(.*)/s).slice(0, 2)));
          if (fields.data === undefined) continue;
          const event = JSON.parse(fields.data) as PipelineEvent;
          expect(fields.event).toBe(event.type);
          seen.push(event);
        }
      }
    })().catch(() => {});
    return { seen, leave: () => gone.abort() };
  },
  WebSocket(chatId: string): Follower {
    const seen: PipelineEvent[] = [];
    const socket = new WebSocket(`${engine.url.replace('http', 'ws')}/api/ws?chatId=${chatId}`);
    socket.on('message', (text) => seen.push(JSON.parse(String(text)) as PipelineEvent));
    socket.on('error', () => {});
    return { seen, leave: () => socket.terminate() };
  },
};

const inShort = ({ type, payload: { agentName, status, errorType } }: PipelineEvent): string =>
  [type, agentName, type === 'agent_error' ? errorType : status].filter((word) => word != null).join(' ');
const told = ({ seen }: Follower, what: string) =>
  until(
    `${what} is told; the last was ${JSON.stringify(seen.at(-1))}`,
    () => seen.some((event) => inShort(event).startsWith(what)),
    60_000,
  );
const status = async (chatId: string) => (await http(engine.url).get(`/agents/status?chatId=${chatId}`)).json;
const limit = (maxTokensPerChat: number | null) => http(engine.url).put('/settings/limits', { maxTokensPerChat });

/** Up to the limit: what whoever comes is told of the run. */
const PAID = ['classify', 'research', 'architect', 'frontend-dev'].map((name) => `agent_status ${name} completed`);

describe.each(Object.keys(FOLLOW) as (keyof typeof FOLLOW)[])('a chat followed by %s', (how) => {
  const chatId = `by-${how}`;

  test('is told the plan, the limit that comes near and interrupts, and on resume first what has completed', async () => {
    await limit(LIMIT);
    const first = FOLLOW[how](chatId);
    const sent = await http(engine.url).post('/messages/send', { chatId, content: 'Build a shop' });
    const { pipelineRunId } = sent.json;
    await told(first, 'pipeline_interrupted');
    const before = first.seen.map(inShort);
    expect(before.filter((event) => PAID.includes(event))).toEqual(PAID);
    expect(before.indexOf('agent_status research running')).toBeLessThan(before.indexOf(PAID[1]!));
    expect(before.indexOf('agent_error orchestrator cost_limit')).toBeLessThan(before.indexOf('pipeline_interrupted'));
    expect(first.seen.find(({ type }) => type === 'limit_warning')?.payload).toMatchObject({
      limit: 'maxTokensPerChat',
      max: LIMIT,
      percentUsed: expect.any(Number),
    });
    const interrupted = first.seen.find(({ type }) => type === 'pipeline_interrupted')!.payload;
    expect(interrupted).toMatchObject({ chatId, pipelineRunId, reason: 'cost_limit', tokens: { limit: LIMIT } });
    expect(interrupted.completedAgents).toEqual(['classify', 'research', 'architect', 'frontend-dev']);

    // Whoever comes again is told how it stands, in the same words.
    first.leave();
    const again = FOLLOW[how](chatId);
    await told(again, 'agent_status orchestrator paused');
    expect(again.seen.map(inShort).filter((event) => event !== 'limit_warning')).toEqual([
      'pipeline_plan interrupted',
      ...PAID,
      'pipeline_interrupted',
      'agent_status orchestrator paused',
    ]);

    await limit(null);
    const from = again.seen.length;
    const resumed = await http(engine.url).post('/agents/run', { chatId, message: '', resume: true });
    expect(resumed.json).toEqual({ status: 'resumed', chatId, pipelineRunId });
    await told(again, 'pipeline_completed');
    const after = again.seen.slice(from).map(inShort);
    expect(after.slice(0, PAID.length + 2)).toEqual([
      expect.stringMatching(/^pipeline_plan/),
      ...PAID,
      'agent_status orchestrator running',
    ]);
    expect(after.slice(PAID.length).filter((event) => PAID.includes(event))).toEqual([PAID.at(-1)]);
    for (const agent of ['backend-dev', 'styling', 'code-review', 'security', 'qa', 'summary'])
      expect(after).toContain(`agent_status ${agent} completed`);
    expect(
      again.seen.every(({ payload }) => payload.chatId === chatId && payload.pipelineRunId === pipelineRunId),
    ).toBe(true);
    again.leave();
  }, 120_000);

  test('is told to the end by an engine that was killed and came again', async () => {
    hangs = true;
    const chat = `${chatId}-killed`;
    await http(engine.url).post('/messages/send', { chatId: chat, content: 'Build a till' });
    const first = FOLLOW[how](chat);
    await told(first, 'agent_status styling running');
    await engine.kill();
    hangs = false;
    engine = await home.up();
    const again = FOLLOW[how](chat);
    await told(again, 'pipeline_completed');
    expect(again.seen.map(inShort).slice(0, 6)).toEqual([
      expect.stringMatching(/^pipeline_plan/),
      ...PAID,
      'agent_status backend-dev completed',
    ]);
    expect((await status(chat)).status).toBe('completed');
    again.leave();
  }, 120_000);
});
