// What a plan adds to a call of a model: the time between the end of one answer and the next question, beside a bare client that
// asks the same of the same server; and 200 calls of one plan at once.
import { once } from 'node:events';
import { createServer } from 'node:http';
import OpenAI from 'openai';
import { benchHome, create, median, reaches, spread } from './engine.js';

const CALLS = Number(process.env.CALLS ?? 60);
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
const bench = benchHome();
const { url, kill } = await bench.up();
try {
  const client = new OpenAI({ baseURL, apiKey: 'none' });
  const chain = Array.from(
    { length: CALLS },
    (_, i) => `  t${i}: { needs: [${i ? `t${i - 1}` : ''}], llm: "Go on" }\n`,
  );
  const plan = async () => {
    const id = await create(url, `plan: 1\nname: chain\ntasks:\n${chain.join('')}`);
    await reaches(url, id, 'completed');
  };
  const direct = async () => {
    for (let i = 0; i < CALLS; i++) {
      const stream = await client.chat.completions.create({
        model: 'stub',
        messages: [{ role: 'user', content: 'Go on' }],
        stream: true,
        stream_options: { include_usage: true },
      });
      for await (const _ of stream);
    }
  };
  await plan();
  const gaps = { plan: [], direct: [] };
  for (let i = 0; i < 2; i++) {
    gaps.direct.push(...(await gapsOf(direct)));
    gaps.plan.push(...(await gapsOf(plan)));
  }
  console.log(`between two calls of a plan: ${spread(gaps.plan, 'ms', 1)}`);
  console.log(`between two calls of a client: ${spread(gaps.direct, 'ms', 1)}`);
  console.log(`added per call, median: ${(median(gaps.plan) - median(gaps.direct)).toFixed(1)} ms`);

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
