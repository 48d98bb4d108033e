// What a plan adds to a call of a model: the time between the end of one answer and the next question, beside a bare client that
// asks the same of the same server. All that a plan does between two calls counts, also what is not the call's own; tasks that
// only make a request show how much that is. And 200 calls of one plan at once.
import { once } from 'node:events';
import { createServer } from 'node:http';
import OpenAI from 'openai';
import { benchHome, create, median, reaches, spread } from './engine.js';

const CALLS = Number(process.env.CALLS ?? 60);
const ROUNDS = Number(process.env.ROUNDS ?? 3);
const UNWATCHED_MS = 500;
const WATCHED_MS = 10;
const AT_ONCE = 200;

/** Answers at once, in three pieces, as a stream; and knows when. */
const calls = [];
let atOnce = 0;
let most = 0;
let answersAfter = 0;
const stub = createServer(async (request, response) => {
  const call = { came: performance.now() };
  calls.push(call);
  most = Math.max(most, ++atOnce);
  for await (const _ of request);
  if (answersAfter > 0) await new Promise((resolve) => setTimeout(resolve, answersAfter));
  response.setHeader('content-type', 'text/event-stream');
  const send = (choices, more) =>
    response.write(
      `data: ${JSON.stringify({ id: 'x', object: 'chat.completion.chunk', created: 0, model: 'stub', choices, ...more })}\n\n`,
    );
  for (const content of ['one ', 'two ', 'three']) send([{ index: 0, delta: { content }, finish_reason: null }]);
  send([{ index: 0, delta: {}, finish_reason: 'stop' }]);
  send([], { usage: { prompt_tokens: 10, completion_tokens: 3, total_tokens: 13 } });
  response.end('data: [DONE]\n\n', () => {
    atOnce -= 1;
    call.left = performance.now();
  });
}).listen(0, '127.0.0.1');
await once(stub, 'listening');
const baseURL = `http://127.0.0.1:${stub.address().port}/v1`;

process.env.HOLDPOINT_LLM_BASE_URL = baseURL;
process.env.HOLDPOINT_LLM_MODEL = 'stub';
process.env.HOLDPOINT_ALLOW_PRIVATE_HOSTS = '127.0.0.1';
const bench = benchHome();
const { url, kill } = await bench.up();
try {
  const client = new OpenAI({ baseURL, apiKey: 'none' });
  const chain = (task) =>
    `plan: 1\nname: chain\ntasks:\n${Array.from({ length: CALLS }, (_, i) => `  t${i}: { needs: [${i ? `t${i - 1}` : ''}], ${task} }\n`).join('')}`;
  const body = { model: 'stub', messages: [{ role: 'user', content: 'Go on' }], stream: true };
  const plan = (task, everyMs) => async () => {
    await reaches(url, await create(url, chain(task)), 'completed', everyMs);
  };
  const LLM = 'llm: "Go on"';
  const sides = {
    client: async () => {
      for (let i = 0; i < CALLS; i++)
        for await (const _ of await client.chat.completions.create({
          ...body,
          stream_options: { include_usage: true },
        }));
    },
    llm: plan(LLM, UNWATCHED_MS),
    watched: plan(LLM, WATCHED_MS),
    http: plan(
      `http: { method: POST, url: "${baseURL}/chat/completions", body: ${JSON.stringify(body)} }`,
      UNWATCHED_MS,
    ),
  };
  const gaps = { client: [], llm: [], watched: [], http: [] };
  const added = [];
  for (let round = 0; round <= ROUNDS; round++) {
    const now = {};
    for (const [name, side] of Object.entries(sides)) now[name] = await gapsOf(side);
    // The first round warms up.
    if (round === 0) continue;
    for (const name of Object.keys(sides)) gaps[name].push(...now[name]);
    added.push(median(now.llm) - median(now.client));
  }
  const over = (name) => `${(median(gaps[name]) - median(gaps.client)).toFixed(1)} ms`;
  console.log(
    `From the last byte of one answer to the next question, ${ROUNDS} rounds of ${CALLS} calls one after another, in turns:`,
  );
  console.log(`  a bare client, no plan:             ${spread(gaps.client, 'ms', 1)}`);
  console.log(`  llm tasks of a plan:                ${spread(gaps.llm, 'ms', 1)}`);
  console.log(`  the same, read every ${WATCHED_MS} ms:         ${spread(gaps.watched, 'ms', 1)}`);
  console.log(`  http tasks of a plan, to compare:   ${spread(gaps.http, 'ms', 1)}`);
  console.log(
    `added per call, median: ${over('llm')} (of each round: ${spread(added, 'ms', 1)}); read all the time: ${over('watched')}`,
  );
  console.log(
    `  of which any task of a plan takes ${over('http')}: starting it, keeping what it gave, starting the next. The rest is the call's own:`,
  );
  console.log('  its reservation, the record of its answer, its settlement and its log. All of it counts as added.');

  answersAfter = 3_000;
  most = 0;
  const items = Array.from({ length: AT_ONCE }, (_, i) => i);
  const began = performance.now();
  const id = await create(
    url,
    `plan: 1\nname: many\ntasks:\n  each: { map: { in: [${items}], max_parallel: ${AT_ONCE}, task: { llm: "\${{ item }}" } } }\n`,
  );
  await reaches(url, id, 'completed');
  const seconds = ((performance.now() - began) / 1_000).toFixed(1);
  console.log(`${AT_ONCE} calls of ${answersAfter / 1_000} s in one plan: ${seconds} s, ${most} at once`);
} finally {
  await kill('SIGTERM');
  bench.remove();
  stub.close();
  stub.closeAllConnections();
}

async function gapsOf(work) {
  const from = calls.length;
  await work();
  const mine = calls.slice(from);
  return mine.slice(1).map(({ came }, i) => came - mine[i].left);
}
