import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from '@temporalio/client';
import { pino } from 'pino';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { readModels } from '../../src/activities/llm/models.ts';
import { fileStores } from '../../src/activities/stores.ts';
import { interruptPipelines } from '../../src/engine/interrupt-pipelines.ts';
import type { PipelineEvent } from '../../src/service/agents/pipeline-events.ts';
import type { Caller } from '../../src/service/caller.ts';
import { recordPlace } from '../../src/service/place.ts';
import { createService, type PlanService } from '../../src/service/service.ts';
import { type Asked, type LlmStub, llmStub, type Reply } from '../support/llm-stub.ts';
import { caller as local, startWorld, until } from '../support/world.ts';

let world: Awaited<ReturnType<typeof startWorld>>;
let stub: LlmStub;
/** What the model answers; undefined: as everybody wants it. */
let model: (asked: Asked, who: string) => Reply | Promise<Reply> | undefined;
let kind = { intent: 'build', scope: 'full', needsBackend: true };
const shipped = join(import.meta.dirname, '../../pipelines');

/** Who is asked, by the words that only their system prompt has. */
const WHO: [string, RegExp][] = [
  ['classify', /You sort the messages/],
  ['remediation-1', /Remediation, round 1/],
  ['remediation-2', /Remediation, round 2/],
  ['review-1', /after remediation, round 1/],
  ['review-2', /after remediation, round 2/],
  ['research', /the researcher/],
  ['architect', /the architect/],
  ['frontend-dev', /the frontend developer|mend the frontend/],
  ['backend-dev', /the backend developer|mend the server/],
  ['styling', /the designer|mend the style sheets/],
  ['code-review', /You review/],
  ['security', /look for weaknesses|opens a weakness/],
  ['qa', /You test/],
  ['summary', /You tell the people/],
  ['answer', /You answer questions/],
];
const whoIn = ({ system }: Asked) => WHO.find(([, words]) => words.test(system))?.[0] ?? system;
const TOKENS = 10_000;
let since = 0;
const asked = () => stub.calls.slice(since).map(whoIn);

beforeAll(async () => {
  stub = await llmStub(async (call) => {
    const who = whoIn(call);
    const told = await model(call, who);
    const text = !call.schema
      ? `${who} is done`
      : who === 'classify'
        ? JSON.stringify(kind)
        : '{"approved":true,"issues":[]}';
    return told ?? { text, input_tokens: TOKENS - 10, output_tokens: 10 };
  });
  const settings = { baseUrl: stub.base_url, model: 'stub', modelsFile: undefined, key: () => 'sk-0123456789abcdef' };
  world = await startWorld({ models: await readModels(settings) });
});
afterAll(async () => {
  await world.stop();
  stub.stop();
});

let caller: Caller;
let orgs = 0;
beforeEach(() => {
  model = () => undefined;
  kind = { intent: 'build', scope: 'full', needsBackend: true };
  since = stub.calls.length;
  const org_id = `agents-${process.pid}-${++orgs}`;
  caller = { ...local, principal: { ...local.principal, org_id } };
});

const chatId = 'shop';
const send = (
  message: string,
  more: { resume?: boolean; keep?: boolean; request_id?: string } = {},
  service: PlanService = world.service,
) => service.agents.send(caller, { chatId, message, keep: false, ...more });
const status = () => world.service.agents.status(caller, chatId);
const ended = () =>
  until(
    'the pipeline ends',
    async () => {
      const now = await status();
      return !now.running && now;
    },
    60_000,
  );
const limit = (maxTokensPerChat: number | null) => world.service.setLimits(caller, { maxTokensPerChat });
const statuses = async () => Object.fromEntries((await status()).executions.map((one) => [one.agentName, one.status]));
const refusal = (work: Promise<unknown>) =>
  work.then(
    () => expect.fail('it was not refused'),
    (fault: unknown) => fault,
  );

describe('a message of a chat', () => {
  test('of something new is worked by its agents, in order, and answered in the chat', async () => {
    const { pipelineRunId, status: how } = await send('Build a shop', { keep: true });
    expect(how).toBe('started');
    const end = await ended();
    expect(asked()).toEqual([
      ...['classify', 'research', 'architect', 'frontend-dev', 'backend-dev', 'styling'],
      ...[expect.any(String), expect.any(String), expect.any(String), 'summary'],
    ]);
    expect(asked().slice(6, 9).sort()).toEqual(['code-review', 'qa', 'security']);
    expect(end).toMatchObject({ status: 'completed', interruptedPipelineId: null, tokens: 10 * TOKENS });
    const run = await world.service.agents.run(caller, pipelineRunId);
    expect(run).toMatchObject({ intent: 'build', scope: 'full', user_message: 'Build a shop', chat_id: chatId });
    expect(run.planned_agents).toEqual([
      'research',
      'architect',
      'frontend-dev',
      'backend-dev',
      'styling',
      'code-review',
      'security',
      'qa',
    ]);
    expect(await statuses()).toMatchObject({ qa: 'completed', 'remediation-1': 'skipped', 'build-check': 'skipped' });
    const messages = await world.service.agents.messages(caller, chatId);
    expect(messages.map(({ role, content }) => [role, content])).toEqual([
      ['user', 'Build a shop'],
      ['assistant', 'summary is done'],
    ]);
    // The next one knows of it.
    kind = { ...kind, intent: 'question' };
    await send('How do I start it?');
    await ended();
    expect(stub.calls.at(-1)!.user).toContain('assistant: summary is done');
    expect(asked().slice(10)).toEqual(['classify', 'answer']);
  });

  test('to mend the styles of something asks one agent and tells what was done', async () => {
    kind = { intent: 'fix', scope: 'styling', needsBackend: false };
    await send('The button is too small');
    await ended();
    expect(asked()).toEqual(['classify', 'styling', 'summary']);
  });

  test('has what reviewers find mended, in two rounds at most', async () => {
    const open = { text: '{"approved":false,"issues":["no"]}' };
    model = (_, who) => (['qa', 'review-1', 'review-2'].includes(who) ? open : undefined);
    kind = { intent: 'fix', scope: 'full', needsBackend: true };
    await send('It is slow');
    expect(await ended()).toMatchObject({ status: 'completed' });
    const [, after = ''] = asked().join(' ').split('remediation-1');
    expect(`remediation-1${after}`).toBe(
      'remediation-1 review-1 review-1 review-1 remediation-2 review-2 review-2 review-2 summary',
    );
    expect(stub.calls.at(-1)!.user).toContain('"issues":["no"]');
  });
});

describe('an interrupted pipeline', () => {
  test('goes on with the next message, with nothing asked twice', async () => {
    await limit(3 * TOKENS + 9_000);
    const { pipelineRunId } = await send('Build a shop');
    expect(await ended()).toMatchObject({ interruptedPipelineId: pipelineRunId, errorType: 'cost_limit' });
    const paid = asked();
    expect(await refusal(send('go on', { resume: true }))).toMatchObject({ code: 'COST_LIMIT' });
    expect((await status()).interruptedPipelineId).toBe(pipelineRunId);
    await limit(null);
    expect(await send('go on')).toEqual({ status: 'resumed', chatId, pipelineRunId });
    expect(await ended()).toMatchObject({ status: 'completed', interruptedPipelineId: null });
    expect(
      asked()
        .slice(paid.length)
        .filter((who) => paid.includes(who)),
    ).toEqual([]);
  });

  test('starts afresh when its research has not completed, on what was asked and what is said now', async () => {
    await limit(TOKENS + 1_000);
    const { pipelineRunId } = await send('Build a shop');
    await ended();
    expect(asked()).toEqual(['classify']);
    expect(await refusal(send('for tea', { resume: true }))).toMatchObject({ code: 'COST_LIMIT' });
    await limit(null);
    const again = await send('for tea', { resume: true });
    expect(again.status).toBe('started');
    expect(again.pipelineRunId).not.toBe(pipelineRunId);
    await ended();
    expect(await world.service.agents.run(caller, again.pipelineRunId)).toMatchObject({
      status: 'completed',
      user_message: 'Build a shop\n\nfor tea',
    });
    expect(await world.service.agents.run(caller, pipelineRunId)).toMatchObject({
      status: 'interrupted',
      dismissed: true,
    });
  });

  test('of two who resume it, one does; dismissed, it is forgotten', async () => {
    await limit(3 * TOKENS + 9_000);
    const { pipelineRunId } = await send('Build a shop');
    await ended();
    await limit(null);
    const both = await Promise.allSettled([send('a', { resume: true }), send('b', { resume: true })]);
    const won = both.filter((one) => one.status === 'fulfilled');
    expect(won.map(({ value }) => value)).toEqual([{ status: 'resumed', chatId, pipelineRunId }]);
    expect(both.find((one) => one.status === 'rejected')?.reason).toMatchObject({ code: 'PIPELINE_RUNNING' });
    await ended();
    await limit(1);
    const second = await send('Build a till');
    await ended();
    await world.service.agents.dismiss(caller, second.pipelineRunId);
    expect((await status()).interruptedPipelineId).toBeNull();
    expect(await refusal(send('', { resume: true }))).toMatchObject({ code: 'REQUEST_INVALID' });
  });

  test('of several messages at once in a chat one is taken', async () => {
    const all = await Promise.allSettled(Array.from({ length: 5 }, (_, i) => send(`Build ${i}`)));
    expect(all.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    for (const one of all)
      if (one.status === 'rejected') expect(one.reason).toMatchObject({ code: 'PIPELINE_RUNNING' });
    await ended();
  });

  test('by a restart is marked so, and its agent is asked again when somebody resumes it', async () => {
    let hang = true;
    model = (_, who) => (who === 'architect' && hang ? 'silence' : undefined);
    const { pipelineRunId } = await send('Build a shop');
    await until('the architect is asked', async () => asked().includes('architect'));
    hang = false;
    await interruptPipelines(world.client, Date.now() + 1, pino({ level: 'silent' }));
    expect(await ended()).toMatchObject({ interruptedPipelineId: pipelineRunId, errorType: 'server_restart' });
    expect(await send('', { resume: true })).toMatchObject({ status: 'resumed', pipelineRunId });
    expect(await ended()).toMatchObject({ status: 'completed' });
    expect(asked().filter((who) => who === 'research')).toHaveLength(1);
  });
});

/** The service with templates of one's own, as they are now. */
function withTemplates(change: (own: string) => void): PlanService {
  const own = mkdtempSync(join(tmpdir(), 'pipelines-'));
  change(own);
  const pipelines = { own, shipped, buildCommand: 'echo built', place: recordPlace(process.env) };
  return createService(
    new Client({ connection: world.client.connection }),
    fileStores(world.home),
    world.bus,
    pipelines,
  );
}

describe('what is sent again', () => {
  test('under its id is the same message, however much was said since; another one under that id is refused', async () => {
    kind = { intent: 'question', scope: 'full', needsBackend: false };
    const sent = [];
    for (const [i, keep] of [true, false, true].entries()) {
      sent.push(await send(`What is ${i}?`, { keep, request_id: `k${i}` }));
      await ended();
    }
    const paid = asked().length;
    for (const [i, keep] of [true, false, true].entries()) {
      expect(await send(`What is ${i}?`, { keep, request_id: `k${i}` })).toEqual(sent[i]);
      expect(await refusal(send('Something else?', { keep, request_id: `k${i}` }))).toMatchObject({
        code: 'REQUEST_INVALID',
        message: expect.stringContaining(`request_id: "k${i}" was used for another message`),
      });
    }
    expect(asked()).toHaveLength(paid);
  });

  test('and had let a run go on, says that it did', async () => {
    await limit(3 * TOKENS + 9_000);
    await send('Build a shop');
    await ended();
    await limit(null);
    const resumed = await send('go on', { keep: true, request_id: 'goes-on' });
    await ended();
    kind = { intent: 'question', scope: 'full', needsBackend: false };
    await send('What is it?');
    await ended();
    expect(await send('go on', { keep: true, request_id: 'goes-on' })).toEqual(resumed);
  });

  test('as a retry under the same id starts one run', async () => {
    kind = { intent: 'question', scope: 'full', needsBackend: false };
    const { pipelineRunId } = await send('What is it?', { request_id: 'q' });
    await ended();
    const again = () => world.service.agents.retry(caller, pipelineRunId, { request_id: 'r' });
    const [first, second] = await Promise.all([again(), again()]);
    expect(second).toEqual(first);
    await ended();
    expect(await again()).toEqual(first);
    const other = await world.service.agents.retry(caller, pipelineRunId, { request_id: 'r2' });
    expect(other.pipelineRunId).not.toBe(first.pipelineRunId);
    await ended();
  });
});

test('nothing is given up for a pipeline whose templates cannot be read', async () => {
  await limit(TOKENS + 1_000);
  const { pipelineRunId } = await send('Build a lighthouse');
  await ended();
  await limit(null);
  const broken = withTemplates((own) =>
    writeFileSync(join(own, 'fix.yaml'), 'plan: 1\nname: fix\ntasks: { x: { llmm: 3 } }\n'),
  );
  expect(await refusal(send('with a red roof', {}, broken))).toMatchObject({ code: 'CONFIG_INVALID' });
  expect(await refusal(broken.agents.retry(caller, pipelineRunId))).toMatchObject({ code: 'CONFIG_INVALID' });
  expect(await status()).toMatchObject({ interruptedPipelineId: pipelineRunId });
  const { pipelineRunId: again } = await send('with a red roof');
  await ended();
  expect(await world.service.agents.run(caller, again)).toMatchObject({
    user_message: 'Build a lighthouse\n\nwith a red roof',
  });
});

test('what attempts cost that failed is part of what a run cost', async () => {
  kind = { intent: 'question', scope: 'full', needsBackend: false };
  let garbled = 0;
  model = (_, who) =>
    who === 'classify' && garbled++ < 4 ? { text: 'garbage', input_tokens: 90, output_tokens: 10 } : undefined;
  const { pipelineRunId } = await send('What is it?');
  await ended();
  const { spent } = await world.service.limits(caller, { chat: chatId });
  expect(spent.chat!.tokens).toBeGreaterThan(2 * TOKENS);
  expect((await status()).tokens).toBe(spent.chat!.tokens);
  expect((await world.service.agents.run(caller, pipelineRunId)).tokens).toBe(spent.chat!.tokens);
});

describe('who follows a chat', () => {
  test('is not told that agents are left out which only other intents have', async () => {
    kind = { intent: 'fix', scope: 'styling', needsBackend: false };
    const events: PipelineEvent[] = [];
    const left = new AbortController();
    const follow = (async () => {
      for await (const event of world.service.agents.follow(caller, chatId, left.signal)) events.push(event);
    })();
    await send('Larger buttons');
    await until('it has ended', async () => events.some(({ type }) => type === 'pipeline_completed'));
    const of = (wanted: string) =>
      events.flatMap(({ payload }) => (payload.status === wanted ? [String(payload.agentName)] : []));
    const skipped = of('skipped');
    expect(skipped.filter((name) => of('running').includes(name))).toEqual([]);
    expect(new Set(skipped).size).toBe(skipped.length);
    left.abort();
    await follow;
  });

  test('is told the plan, the agents, the interruption and the end; on resume what has completed comes first', async () => {
    const events: PipelineEvent[] = [];
    const left = new AbortController();
    const follow = (async () => {
      for await (const event of world.service.agents.follow(caller, chatId, left.signal)) events.push(event);
    })();
    await limit(3 * TOKENS + 9_000);
    const { pipelineRunId } = await send('Build a shop');
    const told = (type: string) => until(type, async () => events.some((event) => event.type === type), 30_000);
    await told('pipeline_interrupted');
    const names = () =>
      events.map(({ type, payload }) => [type, payload.agentName, payload.status].filter(Boolean).join(' '));
    expect(names().filter((name) => name.startsWith('pipeline_plan')).length).toBeGreaterThan(0);
    expect(names()).toContain('agent_status research completed');
    const error = events.findIndex(({ type }) => type === 'agent_error');
    expect(events[error]!.payload).toMatchObject({ errorType: 'cost_limit', chatId, pipelineRunId });
    expect(error).toBeLessThan(events.findIndex(({ type }) => type === 'pipeline_interrupted'));
    expect(events.find(({ type }) => type === 'limit_warning')!.payload).toMatchObject({ limit: 'maxTokensPerChat' });
    const before = events.length;
    await limit(null);
    await send('go on');
    await told('pipeline_completed');
    const after = names().slice(before);
    const plan = after.findIndex((name) => name.startsWith('pipeline_plan'));
    expect(after.slice(plan, plan + 3)).toEqual([
      expect.stringMatching(/^pipeline_plan/),
      'agent_status classify completed',
      'agent_status research completed',
    ]);
    expect(plan).toBeLessThan(after.indexOf('agent_status qa running'));
    left.abort();
    await follow;
  });
});

describe('a template with a checkpoint', () => {
  test('waits for an option, is answered once, and has a build check where a command is configured', async () => {
    const fix = readFileSync(join(shipped, 'fix.yaml'), 'utf8')
      .replace('tasks:\n', 'tasks:\n  look:\n    checkpoint: { prompt: "Which way?", options: [quick, thorough] }\n')
      .replace('  styling:\n', '  styling:\n    needs: [look]\n');
    const service = withTemplates((own) => writeFileSync(join(own, 'fix.yaml'), fix));
    kind = { intent: 'fix', scope: 'styling', needsBackend: false };
    const { pipelineRunId } = await send('Larger buttons', {}, service);
    const waiting = await until('it asks', async () => {
      const now = await status();
      return now.pendingCheckpoint && now;
    });
    expect(waiting).toMatchObject({ running: true, status: 'awaiting_checkpoint' });
    expect(waiting.pendingCheckpoint).toMatchObject({ agentName: 'look', options: ['quick', 'thorough'] });
    expect(await refusal(send('more', {}, service))).toMatchObject({
      code: 'PIPELINE_RUNNING',
      message: expect.stringContaining('answer its checkpoint'),
    });
    const elsewhere = service.agents.checkpoint(caller, pipelineRunId, { option: 0, checkpointId: 'nope' });
    expect(await refusal(elsewhere)).toMatchObject({ code: 'QUESTION_NOT_FOUND' });
    const answer = (option: string | number) => service.agents.checkpoint(caller, pipelineRunId, { option });
    expect(await refusal(answer('slow'))).toMatchObject({ code: 'ANSWER_INVALID' });
    expect(await answer(1)).toMatchObject({ option: 'thorough' });
    expect(await refusal(answer(0))).toMatchObject({ code: 'QUESTION_CLOSED' });
    expect(await ended()).toMatchObject({ status: 'completed' });
    expect(await statuses()).toMatchObject({ look: 'completed', styling: 'completed', 'build-check': 'completed' });
  });
});
