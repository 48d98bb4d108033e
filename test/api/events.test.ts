import { afterAll, beforeAll, expect, test } from 'vitest';
import { caller, startWorld, until } from '../support/world.ts';
import { ID } from './serve.ts';
import { serveAll } from './streams.ts';

let world: Awaited<ReturnType<typeof startWorld>>;
beforeAll(async () => {
  world = await startWorld();
});
afterAll(async () => await world.stop());

const ada = { ...caller, principal: { id: 'ada', name: 'Ada L.', org_id: 'acme' } };
const GATE = 'plan: 1\nname: gate\ntasks:\n  a: { set: { x: 1 } }\n  ok: { needs: a, approve: "Go on?" }\n';
const QUICK = 'plan: 1\nname: quick\ntasks:\n  a: { set: { x: 1 } }\n';

const create = async (plan: string) =>
  (await world.service.create(ada, { plan, place: { env: { PATH: process.env.PATH! } } })).plan_id;
const command = (id: string, name: 'pause' | 'resume' | 'stop' | 'approve') => world.service.command(ada, id, name);
const serve = () => serveAll(world.service);

test('one unbroken story from the first event to exactly one last, which has state, error and totals; then it closes (case 11)', async () => {
  const { events } = await serve();
  const id = await create(GATE);
  const live = events(id);
  await live.has('the question', ({ event }) => event === 'QuestionOpened');
  await command(id, 'pause');
  await command(id, 'resume');
  await command(id, 'approve');
  const seen = await live.done;
  expect(live.ids()).toEqual(seen.map((_, i) => String(i + 1)));
  expect(seen.map(({ data }) => String(data.seq))).toEqual(live.ids());
  expect(seen.filter(({ data }) => data.totals)).toHaveLength(1);
  expect(seen.at(-1)).toMatchObject({
    event: 'PlanStateChanged',
    data: { type: 'PlanStateChanged', state: { status: 'completed' }, error: null, totals: { succeeded: 2 } },
  });
  const states = seen.flatMap(({ data }) => data.state?.status ?? []);
  const resumed = states.slice(states.indexOf('paused'));
  expect(resumed).toEqual(['paused', 'stand_by', 'awaiting_input', 'completed']);
});

test('whoever comes again after any event gets exactly the rest, from a server that was started since', async () => {
  const first = await serve();
  const id = await create(GATE);
  const live = first.events(id);
  await live.has('the question', ({ event }) => event === 'QuestionOpened');
  await command(id, 'stop');
  const all = await live.done;
  await first.end();
  const second = await serve();
  for (const [i, { id: last }] of all.entries()) {
    const rest = second.events(id, last);
    if (i < all.length - 1) expect(await rest.done).toEqual(all.slice(i + 1));
    else expect((await rest.answered).status, 'it would come again and again for nothing').toBe(204);
  }
  expect(await second.events(id).done).toEqual(all);
  const asked = await second.call('GET', `/api/plans/${id}/events?after=2`);
  expect((await asked.text()).match(/^id: .*$/m)?.[0]).toBe('id: 3');
});

test('a server that ends closes its streams, and the next one goes on with them', async () => {
  const first = await serve();
  const id = await create(GATE);
  const live = first.events(id);
  await live.has('the question', ({ event }) => event === 'QuestionOpened');
  await first.end();
  const seen = await live.done;
  const second = await serve();
  const again = second.events(id, seen.at(-1)!.id);
  await command(id, 'stop');
  const rest = await again.done;
  const numbers = [...seen, ...rest].map(({ id }) => Number(id));
  expect(numbers).toEqual(numbers.map((_, i) => i + 1));
});

test('headers that keep proxies from holding events back; HEAD has them, too', async () => {
  const { events, call } = await serve();
  const id = await create(GATE);
  const live = events(id);
  const { status, headers } = await live.answered;
  expect(status).toBe(200);
  expect(headers.get('content-type')).toMatch(/^text\/event-stream/);
  expect(headers.get('x-accel-buffering')).toBe('no');
  expect(headers.get('cache-control')).toMatch(/no-cache/);
  expect(headers.get('content-encoding')).toBeNull();
  expect((await call('HEAD', `/api/plans/${id}/events`)).headers.get('content-type')).toMatch(/^text\/event-stream/);
  await command(id, 'stop');
});

test.each([['x'], ['9999'], ['-1'], ['1.5']])(
  'after %s: one resync that says how the plan stands, and on',
  async (lastId) => {
    const { events } = await serve();
    const id = await create(GATE);
    await events(id).has('the question', ({ data }) => data.state?.status === 'awaiting_input');
    const lost = events(id, lastId);
    const { data } = await lost.has('a resync', ({ event }) => event === 'resync');
    expect(data).toMatchObject({ state: { status: 'awaiting_input' }, plan_id: id });
    expect(data.tasks).toBeUndefined();
    await command(id, 'stop');
    const seen = await lost.done;
    expect(seen.filter(({ event }) => event === 'resync')).toHaveLength(1);
    const numbers = seen.map(({ id }) => Number(id));
    expect(numbers).toEqual(numbers.map((_, i) => numbers[0]! + i));
    expect(numbers[0]).toBe(data.seq);
  },
);

test('a plan that has ended within a moment, and one that is asked for after its end (case 11)', async () => {
  const { events } = await serve();
  const id = await create(QUICK);
  const [live, late] = [await events(id).done, await events(id).done];
  expect(live).toEqual(late);
  expect(live.at(-1)!.data.state).toEqual({ status: 'completed' });
});

test('after the end of one run the stream goes on with the next', async () => {
  const { events } = await serve();
  const id = await create(GATE);
  const first = events(id);
  await first.has('the question', ({ event }) => event === 'QuestionOpened');
  await command(id, 'stop');
  const ended = await first.done;
  await world.service.nextRun(ada, id, { mode: 'resume' });
  const next = events(id, ended.at(-1)!.id);
  const whole = events(id);
  await next.has('the question', ({ event }) => event === 'QuestionOpened');
  await command(id, 'approve');
  const seen = await next.done;
  expect(seen[0]!.event).toBe('RunStarted');
  expect(seen.at(-1)!.data.state).toEqual({ status: 'completed' });
  expect(await whole.done).toEqual([...ended, ...seen]);
});

test('a plan that goes on in a new history meanwhile: no gap and no repeat, live or late', async () => {
  const { events } = await serve();
  const id = await create(GATE);
  const live = events(id);
  await live.has('the question', ({ event }) => event === 'QuestionOpened');
  const handle = world.client.workflow.getHandle(`plan/acme/${id}`);
  const { runId } = await handle.describe();
  // Commands that are refused are events, too; at 2,500 the plan goes on in a new history.
  for (let sent = 0; sent < 2_600; sent += 100)
    await Promise.all(Array.from({ length: 100 }, () => handle.signal('resume', { at: Date.now() })));
  await until('it has a new history', async () => (await handle.describe()).runId !== runId, 240_000);
  await command(id, 'approve');
  const all = (await live.done).filter(({ event }) => event !== 'last_known');
  expect(all.length).toBeGreaterThan(2_600);
  const ids = all.map(({ id }) => id);
  expect(ids).toEqual(all.map((_, i) => String(i + 1)));
  for (const after of [0, 1_999, 2_499, 2_600, all.length - 2]) {
    const late = events(id, after);
    const told = (await late.done).filter(({ event }) => event !== 'last_known');
    expect(
      told.map(({ id }) => id),
      `after ${after}`,
    ).toEqual(ids.slice(after));
  }
}, 420_000);

test('unknown plans and those of others are not found, before any stream begins; 401, 403 and 405 too', async () => {
  const { call } = await serve();
  const id = await create(GATE);
  const path = `/api/plans/${id}/events`;
  const answers = [
    [await call('GET', `/api/plans/${ID}/events`), 404],
    [await call('GET', '/api/plans/x/events'), 404],
    [await call('GET', path, 'eve'), 404],
    [await call('GET', path, 'nobody'), 401],
    [await call('GET', path, 'bot'), 403],
    [await call('POST', path), 405],
    [await call('GET', `${path}?page=2`), 422],
  ] as const;
  for (const [answer, status] of answers) {
    expect(answer.status).toBe(status);
    expect(answer.headers.get('content-type')).toMatch(/^application\/problem\+json/);
  }
  await command(id, 'stop');
});

test('terminated in Temporal: a last event says stopped, from outside; and there is no more after it', async () => {
  const { events, call } = await serve();
  const id = await create(GATE);
  const live = events(id);
  await live.has('the question', ({ data }) => data.state?.status === 'awaiting_input');
  await world.client.workflow.getHandle(`plan/acme/${id}`).terminate('enough');
  const seen = await live.done;
  expect(seen.at(-1)!.data).toMatchObject({ state: { status: 'stopped' }, error: { code: 'ENDED_OUTSIDE' } });
  expect((await events(id, seen.at(-1)!.id).answered).status).toBe(204);
  expect(await events(id).done).toEqual(seen);
  const { entries } = (await (await call('GET', `/api/plans/${id}/timeline`)).json()) as { entries: object[] };
  expect(entries).toContainEqual(expect.objectContaining({ type: 'PlanStopped', by: 'operator (Temporal)' }));
});

test('without a worker the stream stays open and says what is last known; events come when a worker does', async () => {
  const { events } = await serve();
  const id = await create(GATE);
  await events(id).has('the question', ({ data }) => data.state?.status === 'awaiting_input');
  await world.stopWorker();
  try {
    const waiting = events(id);
    const { data } = await waiting.has('what is last known', ({ event }) => event === 'last_known');
    expect(data).toMatchObject({ state: { status: 'awaiting_input' }, freshness: { live: false } });
    expect(data.freshness).toMatchObject({ as_of: expect.any(String), age_ms: expect.any(Number) });
    await world.startWorker();
    await waiting.has('the question', ({ event }) => event === 'QuestionOpened');
    await command(id, 'stop');
    const seen = await waiting.done;
    expect(seen[0]!.id).toBeUndefined();
    expect(seen.slice(1).map(({ id }) => id)).toEqual(seen.slice(1).map((_, i) => String(i + 1)));
  } finally {
    await world.stopWorker();
    await world.startWorker();
  }
});
