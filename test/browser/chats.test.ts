import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type LlmStub, llmStub } from '../support/llm-stub.ts';
import { tempDir } from '../support/world.ts';
import { violations } from './support/axe.ts';
import { openPage, useConsole } from './support/console.ts';

/** Of all agents whose system prompt has this text, answers wait until it is let go. */
const held = new Map<string, Promise<void>>();
const asked: string[] = [];

/** What the model of the tests answers: questions are questions, everything else is to be built. */
const stub: LlmStub = await llmStub(async ({ schema, system, user }) => {
  asked.push(system);
  const message = user.split('sort:').at(-1) ?? '';
  for (const [text, until] of held) if (system.includes(text)) await until;
  const { intent, approved } = (schema as { properties?: Record<string, object> } | undefined)?.properties ?? {};
  if (user.includes('FAILS') && !schema) return { status: 400, error: 'the context is too long' };
  const usage = { input_tokens: 600, output_tokens: 400 };
  if (intent) {
    const is = { intent: message.includes('?') ? 'question' : 'build', scope: 'frontend', needsBackend: false };
    return { text: JSON.stringify(is), ...usage };
  }
  if (approved) return { text: JSON.stringify({ approved: true, issues: [] }), ...usage };
  return { text: `done by ${system.trim().split('\n')[0]}`, ...usage };
});
afterAll(() => stub.stop());

function hold(text: string): () => void {
  let release = () => {};
  held.set(text, new Promise((then) => (release = then)));
  return () => {
    held.delete(text);
    release();
  };
}

/** The shipped question, with somebody to ask before it is answered. */
const pipelines = tempDir('pipelines');
mkdirSync(pipelines, { recursive: true });
writeFileSync(
  join(pipelines, 'question.yaml'),
  `plan: 1
name: question
inputs: { message: { type: string } }
tasks:
  sure:
    checkpoint: { prompt: "How shall it be answered?", options: [briefly, at length], timeout: 1h }
  answer:
    needs: [sure]
    llm: { system: "You answer.", prompt: "\${{ inputs.message }}", max_output_tokens: 400 }
`,
);

const it = useConsole({
  HOLDPOINT_LLM_BASE_URL: stub.base_url,
  HOLDPOINT_LLM_MODEL: 'stub-1',
  HOLDPOINT_ON_RESTART: 'interrupt',
  HOLDPOINT_PIPELINES: pipelines,
});
beforeAll(() => held.clear());

const limits = (body: object) => it.api.put('/settings/limits', body);
const status = async (chatId: string) => (await it.api.get(`/agents/status?chatId=${chatId}`)).json;
const reaches = (chatId: string, wanted: string) =>
  expect.poll(async () => (await status(chatId)).status, { timeout: 45_000, interval: 200 }).toBe(wanted);
const send = async (chatId: string, content: string): Promise<string> =>
  (await it.api.post('/messages/send', { chatId, content })).json.pipelineRunId;
const badge = (page: Page, words: string) => page.locator('.chat-head').getByText(words, { exact: true });
const agent = (page: Page, name: string) =>
  page.getByRole('list', { name: 'Agents' }).getByRole('listitem').filter({ hasText: name }).first();
const banner = (page: Page) => page.getByRole('region', { name: 'Interrupted pipeline' });
const button = (page: Page, name: string) => banner(page).getByRole('button', { name, exact: true });
const widths = (page: Page) =>
  page.evaluate(() => [document.documentElement.scrollWidth, document.documentElement.clientWidth]);

test('a chat is begun, its message is worked to the end, and agents are seen at work and before they begin', async () => {
  const release = hold('You are the architect');
  const page = await openPage(it, 'chats');
  await page.getByText('None yet.').waitFor();
  expect(await violations(page)).toEqual([]);
  await page.getByLabel('Chat', { exact: true }).fill('todo');
  await page.getByRole('button', { name: 'Open' }).click();
  const message = page.getByRole('textbox', { name: 'Your message' });
  await message.fill('Build a todo app');
  await message.press('Shift+Enter');
  await message.pressSequentially('with dates');
  await message.press('Enter');
  await page.getByRole('log').getByText('Build a todo app\nwith dates').waitFor();
  expect(await message.inputValue()).toBe('');
  await agent(page, 'architect').getByText('Running', { exact: true }).waitFor();
  await agent(page, 'research').getByText('1,000 tokens').waitFor();
  await agent(page, 'qa').getByText('Planned', { exact: true }).waitFor();
  await badge(page, 'Running').waitFor();
  await message.fill('And more');
  const more = page.getByRole('button', { name: 'Send' });
  expect(await more.getAttribute('title')).toMatch(/at work/);
  expect(await violations(page)).toEqual([]);
  release();
  await badge(page, 'Completed').waitFor();
  await page.getByRole('log').getByText('Assistant').waitFor();
  await agent(page, 'research').getByText('Output').click();
  await agent(page, 'research').getByText('done by You are the researcher').waitFor();
  const { tokens } = await status('todo');
  await page
    .getByText(`${tokens.toLocaleString('en')} tokens`)
    .first()
    .waitFor();
  expect(await violations(page)).toEqual([]);
  await page.getByRole('link', { name: 'Plan of this run' }).click();
  await page
    .locator('.plan-facts')
    .getByText(`${tokens.toLocaleString('en')} tokens`)
    .waitFor();
  await page.goto(`${it.url}/console/plans/${(await status('todo')).pipelineRunId}?view=table&task=build_research`);
  await page.getByText('1,000 (600 in, 400 out)').waitFor();
  await page.goto(`${it.url}/console/chats`);
  await page.getByRole('link', { name: 'todo' }).waitFor();
});

test('at a limit the banner raises it; with too little nothing can be resumed; then nothing is paid twice', async () => {
  await limits({ maxTokensPerChat: 8_000 });
  const before = asked.length;
  const page = await openPage(it, 'chats/limit', { viewport: { width: 360, height: 740 } });
  await page.getByRole('textbox', { name: 'Your message' }).fill('Build a shop');
  await page.getByRole('textbox', { name: 'Your message' }).press('Enter');
  await banner(page).getByText('Token limit reached. Pipeline paused.', { exact: true }).waitFor();
  await banner(page)
    .getByText(/3,000 of 8,000 tokens/)
    .waitFor();
  expect(await button(page, 'Resume pipeline').count()).toBe(0);
  expect(await button(page, 'Resume').count()).toBe(0);
  const toggle = button(page, 'Increase limit & resume');
  await toggle.click();
  const field = banner(page).getByLabel(/^Tokens per chat/);
  await field.waitFor();
  expect(await violations(page)).toEqual([]);
  expect(await widths(page)).toEqual([360, 360]);
  await field.fill('9,000');
  await button(page, 'Save limits').click();
  await banner(page).getByText('The limits are saved.').waitFor();
  const least = /for the next call it has to be ([\d,]+) at least/;
  await banner(page).getByText(least).waitFor();
  expect(await banner(page).getByText('(reached)').count()).toBe(1);
  expect(await button(page, 'Resume pipeline').count()).toBe(0);
  const [, enough = ''] = least.exec((await banner(page).textContent()) ?? '') ?? [];
  expect(await violations(page)).toEqual([]);
  await field.fill(enough);
  await button(page, 'Save limits').click();
  await button(page, 'Resume pipeline').waitFor();
  expect(await banner(page).getByText('(reached)').count()).toBe(0);
  await field.fill('');
  await button(page, 'Save limits').click();
  await banner(page).getByText('The limits are saved.').waitFor();
  await button(page, 'Resume pipeline').click();
  await badge(page, 'Completed').waitFor();
  await banner(page).waitFor({ state: 'detached' });
  const calls = asked.slice(before);
  expect(new Set(calls).size).toBe(calls.length);
});

test('the page of a plan says which limit holds it, and raises it', async () => {
  await limits({ maxTokensPerChat: 8_000 });
  const id = await send('held', 'Build a blog');
  await reaches('held', 'interrupted');
  const page = await openPage(it, `plans/${id}`);
  const attention = page.getByRole('region', { name: 'Attention' });
  await attention.getByText(/The token limit of the chat is reached: 3,000 of 8,000 tokens/).waitFor();
  await attention.getByRole('button', { name: 'Resume', exact: true }).click();
  await attention.getByRole('alert').getByText('Missing', { exact: true }).waitFor();
  await attention.getByRole('button', { name: 'Increase limit & resume' }).click();
  await attention.getByLabel(/^Tokens per chat/).fill('400000');
  expect(await violations(page)).toEqual([]);
  await attention.getByRole('button', { name: 'Save limits' }).click();
  await attention.getByText('The limits are saved.').waitFor();
  expect(await attention.getByRole('alert').count()).toBe(0);
  await attention.getByRole('button', { name: 'Resume', exact: true }).click();
  await page.getByText('Completed', { exact: true }).first().waitFor();
});

test('a plan that its own budget holds goes on with a larger one', async () => {
  const task = '{llm: {prompt: "Say something", max_output_tokens: 400}}';
  const id = await it.api.create(
    `{plan: 1, name: budget, budget: {max_tokens: 1100}, tasks: {a: ${task}, b: {needs: a, llm: {prompt: "More", max_output_tokens: 400}}}}`,
  );
  const page = await openPage(it, `plans/${id}`);
  const attention = page.getByRole('region', { name: 'Attention' });
  await attention.getByText(/The budget of the plan is reached/).waitFor();
  await attention.getByRole('button', { name: 'Raise its budget & resume' }).click();
  await attention.getByLabel(/^Cost of the plan/).fill('0,50');
  await attention.getByText('Write decimals with a point, as in 0.50: commas part thousands only').waitFor();
  await attention.getByLabel(/^Cost of the plan/).fill('');
  await attention.getByLabel(/^Tokens of the plan/).fill('5000');
  await attention.getByRole('button', { name: 'Save limits' }).click();
  await attention.getByText('The limits are saved.').waitFor();
  await attention.getByRole('button', { name: 'Resume', exact: true }).click();
  await page.getByText('2,000 of 5,000 tokens').waitFor();
  await page.getByText('Completed', { exact: true }).first().waitFor();
});

test('most of a limit being spent is a warning', async () => {
  await limits({ maxTokensPerChat: 2_400 });
  await send('near', 'What is it?');
  await reaches('near', 'awaiting_checkpoint');
  const page = await openPage(it, 'chats/near');
  await page.getByRole('button', { name: 'briefly' }).click();
  await badge(page, 'Completed').waitFor();
  await page.getByText('83 % of the limit').waitFor();
  await limits({ maxTokensPerChat: null });
  expect(await violations(page)).toEqual([]);
});

test('a checkpoint is answered by its options, once; answered elsewhere they go dead', async () => {
  await limits({ maxTokensPerChat: null });
  await send('asks', 'Why?');
  await reaches('asks', 'awaiting_checkpoint');
  const [page, there] = [await openPage(it, 'chats/asks'), await openPage(it, 'chats/asks')];
  const card = (on: Page) => on.getByRole('region', { name: 'Checkpoint sure' });
  await badge(page, 'Awaiting a decision').waitFor();
  await card(page).getByText('How shall it be answered?').waitFor();
  await card(page)
    .getByText(/^expires in .*; then “briefly” is taken$/)
    .waitFor();
  await card(there).getByRole('button', { name: 'briefly' }).waitFor();
  expect(await violations(page)).toEqual([]);
  await card(page).getByRole('button', { name: 'at length' }).click();
  await card(there).getByRole('status').getByText('Answered “at length”.').waitFor();
  const dead = card(there).getByRole('button', { name: 'briefly' });
  expect(await dead.getAttribute('aria-disabled')).toBe('true');
  let sent = 0;
  there.on('request', (request) => (sent += request.url().includes('/checkpoint') ? 1 : 0));
  await dead.click({ force: true });
  expect(sent).toBe(0);
  expect(await violations(there)).toEqual([]);
  await card(there).getByRole('button', { name: 'Put the checkpoint away' }).click();
  await badge(page, 'Completed').waitFor();
  await page.getByRole('log').getByText('done by You answer.').waitFor();
});

test('an agent that fails says why, and so does its chat', async () => {
  await limits({ maxTokensPerChat: null });
  const page = await openPage(it, 'chats/fails');
  const message = page.getByRole('textbox', { name: 'Your message' });
  await message.fill('Build what FAILS');
  await page.getByRole('button', { name: 'Send' }).click();
  await badge(page, 'Failed').waitFor();
  await agent(page, 'research').getByText('Failed', { exact: true }).waitFor();
  await agent(page, 'research')
    .getByText(/the context is too long/)
    .waitFor();
  await page
    .getByRole('alert')
    .filter({ hasText: 'The pipeline failed' })
    .getByText(/the context is too long/)
    .waitFor();
  expect(await violations(page)).toEqual([]);
});

test('a pipeline that is stopped from its plan is seen so', async () => {
  const release = hold('You are the researcher');
  const id = await send('stops', 'Build what is stopped');
  await expect.poll(() => asked.at(-1)?.includes('You are the researcher'), { timeout: 30_000 }).toBe(true);
  const page = await openPage(it, 'chats/stops');
  await agent(page, 'research').getByText('Running', { exact: true }).waitFor();
  await it.api.put(`/api/plans/${id}/stop`);
  await badge(page, 'Dismissed').waitFor();
  await agent(page, 'research').getByText('Running', { exact: true }).waitFor({ state: 'detached' });
  release();
  await page.getByRole('textbox', { name: 'Your message' }).waitFor();
});

test('after a restart of the server its banner lets a pipeline go on, start afresh, or be forgotten', async () => {
  await limits({ maxTokensPerChat: null });
  const release = hold('You are the architect');
  const [resumed, retried, dismissed] = await Promise.all(
    ['resumed', 'retried', 'dismissed'].map((chatId) => send(chatId, `Build ${chatId}`)),
  );
  const page = await openPage(it, 'chats/resumed');
  for (const chatId of ['resumed', 'retried', 'dismissed'])
    await expect
      .poll(
        async () =>
          (await status(chatId)).executions.find(({ agentName }: { agentName: string }) => agentName === 'architect')
            ?.status,
        { timeout: 45_000, interval: 200 },
      )
      .toBe('running');
  await it.engine.kill();
  release();
  it.engine = await it.home.up(it.port);
  const [onRetried, onDismissed] = [await openPage(it, 'chats/retried'), await openPage(it, 'chats/dismissed')];
  // Each of its three ways is there, and looks as it should.
  await button(page, 'Resume').waitFor({ timeout: 40_000 });
  expect(await button(page, 'Resume').getAttribute('data-look')).toBe('amber');
  expect(await button(page, 'Retry from scratch').getAttribute('data-look')).toBe('link');
  await button(page, 'Dismiss').waitFor();
  expect(await violations(page)).toEqual([]);
  await button(page, 'Resume').click();
  await badge(page, 'Completed').waitFor();
  expect((await status('resumed')).pipelineRunId).toBe(resumed);

  await button(onRetried, 'Retry from scratch').click();
  await badge(onRetried, 'Completed').waitFor();
  expect((await status('retried')).pipelineRunId).not.toBe(retried);

  await button(onDismissed, 'Dismiss').click();
  await banner(onDismissed).waitFor({ state: 'detached' });
  await badge(onDismissed, 'Dismissed').waitFor();
  expect(await status('dismissed')).toMatchObject({ interruptedPipelineId: null, pipelineRunId: dismissed });
}, 120_000);
