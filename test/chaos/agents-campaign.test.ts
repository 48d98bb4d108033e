import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { newHome } from '../support/engine.ts';
import { books, overshoot } from './agents-campaign/books.ts';
import { type Chat, chatOf } from './agents-campaign/chat.ts';
import { type MortalEngine, mortalEngine } from './agents-campaign/engine.ts';
import { type PricedModel, pricedModel } from './agents-campaign/model.ts';
import { FULL } from './campaign.ts';
import { moments } from './kill-campaign/moments.ts';

const PROJECT = 'campaign';
const CHATS = FULL ? 50 : 8;
const KILLS = FULL ? 20 : 2;
/** Questions of a chat: a build, with two rounds of remediation and something to mend afterwards when there is time. */
const QUESTIONS = FULL ? 18 + 15 : 10;
/** Reached while most pipelines are in the middle of their build. */
const MAX_COST = 0.2 * CHATS;

let home: ReturnType<typeof newHome>;
let model: PricedModel;
let engine: MortalEngine;
let chats: Chat[];
beforeAll(async () => {
  model = await pricedModel(FULL ? 2 : 0);
  home = newHome(model.env);
  engine = await mortalEngine(home);
  chats = Array.from({ length: CHATS }, (_, i) => chatOf(engine, `chat-${i + 1}`, PROJECT));
});
afterAll(async () => {
  await home.end();
  model.stop();
});

test(`${CHATS} pipelines against one limit, ${KILLS} kills: no more is spent than the limit and what calls in flight came to over their estimates, and to the token what the model's server counts`, async () => {
  const began = Date.now();
  await engine.put('/settings/limits', { maxCostPerProject: MAX_COST });
  const killing = kills();

  await Promise.all(chats.map(({ chatId, say }) => say(`Build a shop for ${chatId}`)));
  const resting = await Promise.all(chats.map((chat) => chat.rests()));
  const held = resting.filter(({ status }) => status === 'interrupted');
  expect(held.length).toBeGreaterThan(CHATS / 2);
  for (const { status, errorType } of resting)
    expect([status, errorType]).toEqual(status === 'completed' ? [status, null] : ['interrupted', 'cost_limit']);
  const before = await books(engine, model, chats, PROJECT);
  const over = overshoot(model, chats);
  expect(before.ledger).toEqual(before.stub);
  // What a killed engine was asking counts until its task goes on: it may have been paid.
  expect(before.reserved.cost).toBeLessThanOrEqual(before.unsure);
  expect(before.charged).toBeLessThanOrEqual(MAX_COST + over + before.lost.reduce((sum, { cost }) => sum + cost, 0));
  // Calls that were in flight when a chat was held may have come to less than was reserved for them.
  await engine.put('/settings/limits', { maxCostPerProject: before.ledger.cost });
  const refused = await engine.post('/agents/run', { chatId: held[0]!.chatId, message: '', resume: true });
  expect([refused.status, refused.json.errorType]).toEqual([409, 'cost_limit']);
  expect(refused.json.missing).toBeGreaterThan(0);

  await engine.put('/settings/limits', { maxCostPerProject: null });
  await Promise.all(chats.map((chat) => toTheEnd(chat)));
  expect(await killing).toHaveLength(KILLS);
  const after = await books(engine, model, chats, PROJECT);
  expect(after.ledger).toEqual(after.stub);
  expect(after.reserved).toEqual({ tokens: 0, cost: 0 });
  if (after.today.date === before.today.date)
    expect(after.today).toMatchObject({ tokens: after.stub.tokens, cost: after.stub.cost });
  // No task asks twice for what was answered.
  const tasks = [...model.questions.values()].map(({ plan_id, task }) => `${plan_id} ${task}`);
  expect(tasks.filter((task, i) => tasks.indexOf(task) !== i)).toEqual([]);
  if (FULL)
    console.log(
      [
        `${CHATS} pipelines, ${model.questions.size} questions, ${model.calls.length} calls, ${Math.round((Date.now() - began) / 1_000)} s`,
        `the limit ${MAX_COST}: spent ${before.charged}, at most ${over} over it by calls in flight; ${held.length} held`,
        `at the end the server counts ${after.stub.tokens} tokens and ${after.stub.cost}, as does the ledger; answers lost for good: ${after.lost.length}`,
        `${KILLS} kills, waiting for an answer then: ${(await killing).join(' ')}; answers given again after one: ${model.repeated.calls} of ${model.repeated.total_tokens} tokens`,
      ].join('\n'),
    );
}, 900_000);

async function toTheEnd(chat: Chat): Promise<void> {
  if ((await chat.rests()).status === 'interrupted') await chat.resume();
  await chat.ends();
  if (!FULL) return;
  await chat.say(`Mend the till of ${chat.chatId}`);
  await chat.ends();
}

/**
 * One in each equal part of the questions that are asked. Gives how many waited for an answer each time. Each question that waited
 * is answered before the next: three losses in a row would end it.
 */
async function kills(): Promise<number[]> {
  const waiting: number[] = [];
  let struck: string[] = [];
  for (const { moment, later_ms } of moments(KILLS)) {
    const due = ((moment - 0.5) / KILLS) * CHATS * QUESTIONS;
    while (model.questions.size < due || !struck.every(model.isAnswered)) await delay(20);
    await delay((FULL ? 2_000 : 0) + later_ms);
    struck = model.waiting();
    waiting.push(struck.length);
    await engine.kill();
  }
  return waiting;
}
