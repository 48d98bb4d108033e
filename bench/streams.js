// How soon a change of state reaches a subscriber, and what subscribers cost the plan that they follow.
import { setTimeout as delay } from 'node:timers/promises';
import { WebSocket } from 'ws';
import { benchHome, call, create, median, reaches, spread } from './engine.js';

const GATE = 'plan: 1\nname: gate\ntasks:\n  ok: { approve: "Go on?" }\n';
const STEPS = 60;
/** Tasks that do nothing, one after the other: as many events a second as a plan can make. */
const BUSY = `plan: 1\nname: busy\nsteps:\n${'  - run: ":"\n'.repeat(STEPS)}`;
const SUBSCRIBERS = 50;
const ROUNDS = Number(process.env.ROUNDS ?? 3);

const bench = benchHome();
const engine = await bench.up();
const { url } = engine;

try {
  const latencies = await latenciesOf(40);
  console.log(`a command's answer to its WebSocket event: ${spread(latencies)}`);

  // In turns, for the machine may be busy with something else at times.
  const rates = { alone: [], streaming: [], polling: [] };
  await busyPlan(async () => () => {});
  for (let i = 0; i < ROUNDS; i++) {
    rates.alone.push(await busyPlan(async () => () => {}));
    rates.streaming.push(await busyPlan(streamers));
    rates.polling.push(await busyPlan(pollers));
  }
  console.log(`tasks of a busy plan, nobody watching: ${spread(rates.alone, 'tasks/s', 1)}`);
  console.log(`… with ${SUBSCRIBERS} following its events: ${spread(rates.streaming, 'tasks/s', 1)}`);
  console.log(`… with ${SUBSCRIBERS} asking for its state twice a second: ${spread(rates.polling, 'tasks/s', 1)}`);
  console.log(`ratio: ${(median(rates.streaming) / median(rates.alone)).toFixed(2)} (streaming)`);
  console.log(`ratio: ${(median(rates.polling) / median(rates.alone)).toFixed(2)} (polling)`);
} finally {
  await engine.kill('SIGTERM');
  bench.remove();
}

/** From the moment a command's answer is in to the event; an event that comes before the answer counts as 0. */
async function latenciesOf(count) {
  const id = await create(url, GATE);
  await reaches(url, id, 'awaiting_input');
  const socket = new WebSocket(`${url.replace('http', 'ws')}/api/ws`);
  let heard = () => {};
  socket.on('message', (text) => {
    const { plan_id, state } = JSON.parse(text);
    if (plan_id === id) heard(state.status, performance.now());
  });
  await new Promise((resolve) => socket.once('open', resolve));
  const found = [];
  for (let i = 0; i < count; i++)
    for (const [verb, status] of [
      ['pause', 'paused'],
      ['resume', 'awaiting_input'],
    ]) {
      const told = new Promise((resolve) => {
        heard = (state, at) => state === status && resolve(at);
      });
      const answer = await call(url, 'PUT', `/api/plans/${id}/${verb}`);
      const answered = performance.now();
      // 202: no worker answered in time, for the machine is busy with something else; nothing to measure.
      if (answer.status === 202) await told;
      else if (answer.status !== 204) throw new Error(`${verb}: ${answer.status}`);
      else found.push(Math.max(0, (await told) - answered));
    }
  socket.close();
  return found;
}

/** Tasks a second, by the plan's own clock, while somebody watches it. */
async function busyPlan(watch) {
  const id = await create(url, BUSY);
  const end = await watch(id);
  let view;
  do {
    await delay(100);
    view = (await call(url, 'GET', `/api/plans/${id}`)).json;
  } while (view.state.status !== 'completed');
  end();
  const { entries } = (await call(url, 'GET', `/api/plans/${id}/timeline`)).json;
  const at = (type, which) => Date.parse(entries[which](({ type: found }) => found === type).at);
  return (STEPS * 1_000) / (at('TaskSucceeded', 'findLast') - at('TaskStarted', 'find'));
}

async function streamers(id) {
  const gone = new AbortController();
  const read = async () => {
    const { body } = await fetch(`${url}/api/plans/${id}/events`, { signal: gone.signal });
    for await (const _ of body);
  };
  for (let i = 0; i < SUBSCRIBERS; i++) read().catch(() => {});
  return () => gone.abort();
}

async function pollers(id) {
  let over = false;
  const ask = async () => {
    while (!over) {
      await call(url, 'GET', `/api/plans/${id}`).catch(() => {});
      await delay(500);
    }
  };
  for (let i = 0; i < SUBSCRIBERS; i++) setTimeout(ask, Math.random() * 500);
  return () => {
    over = true;
  };
}
