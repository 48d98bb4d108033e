import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { statusOf } from '../../src/mcp/plan-status.ts';
import { progressText, waitForPlan } from '../../src/mcp/wait-for-plan.ts';
import type { ReadPlan } from '../../src/service/read-plan.ts';
import { startApi } from '../api/real.ts';
import { fakeService, ID, PLACE, serve } from '../api/serve.ts';
import { FULL } from '../chaos/campaign.ts';
import { caller, until, witness } from '../support/world.ts';
import { answerOf, ERAS, rpcClient } from './rpc.ts';

let api: Awaited<ReturnType<typeof startApi>>;
beforeAll(async () => {
  api = await startApi();
});
afterAll(() => api.stop());

const SLEEPS = 'plan: 1\nname: sleeps\ntasks:\n  a: { run: sleep 300 }\n';
const STEPS = `plan: 1\nname: steps\ntasks:\n${Array.from({ length: 2 }, (_, i) => `  t${i}: { ${i ? `needs: [t${i - 1}], ` : ''}wait: 400ms }`).join('\n')}\n`;

describe.each(ERAS)('%s', (era) => {
  const client = () => rpcClient(api.url, { era });

  test('a wait that takes too long is answered, and says that the plan goes on (case 38)', async () => {
    const plan_id = await api.world.create(SLEEPS);
    const { body } = await client().tool('plan_wait', { plan_id, timeout_seconds: 0.5 });
    expect(body).toMatchObject({ waited: 'timeout', state: 'processing' });
    expect(body.next_steps).toContain('plan_wait');
    await client().tool('plan_stop', { plan_id });
    expect((await client().tool('plan_wait', { plan_id })).body).toMatchObject({ waited: 'ended', state: 'stopped' });
  });

  test('progress is told to those who ask, only rises, and ends with the answer (case 38)', async () => {
    const plan_id = await api.world.create(STEPS);
    const messages = await client().messages('tools/call', {
      name: 'plan_wait',
      arguments: { plan_id },
      _meta: { progressToken: 'p' },
    });
    const told = messages.slice(0, -1);
    expect(answerOf(messages.at(-1)!.result!).body).toMatchObject({ waited: 'ended', state: 'completed' });
    expect(told.length).toBeGreaterThan(0);
    expect(told.map(({ method, params }) => [method, params!.progressToken])).toEqual(
      told.map(() => ['notifications/progress', 'p']),
    );
    const steps = told.map(({ params }) => params!.progress as number);
    expect(steps).toEqual([...new Set(steps)].sort((a, b) => a - b));
    expect(told[0]!.params!.message).toMatch(/^Step \d of 2 \(\d+%\)/);
  });

  test('without a token there is only the answer', async () => {
    const plan_id = await api.world.create(SLEEPS);
    const wait = { name: 'plan_wait', arguments: { plan_id, timeout_seconds: 0.2 } };
    expect(await client().messages('tools/call', wait)).toHaveLength(1);
    await client().tool('plan_stop', { plan_id });
  });

  test('a dropped connection ends the waiting, and not the plan (case 38)', async () => {
    let waiting: AbortSignal | undefined;
    const view = { ...(await api.world.read(await api.world.create(SLEEPS))), plan_id: ID } as ReadPlan;
    const { port, calls } = await serve({
      read: async () => ({ ...view, state: { status: 'executing' } }),
      follow: async () => ({
        over: false,
        async *pushed(signal) {
          waiting = signal;
          await new Promise((resolve) => signal.addEventListener('abort', resolve));
        },
      }),
    });
    const dropped = new AbortController();
    const { tool } = rpcClient(`http://127.0.0.1:${port}`, { era });
    const call = tool('plan_wait', { plan_id: ID }, dropped.signal).catch(() => 'dropped');
    await until('it waits', () => waiting);
    dropped.abort();
    expect(await call).toBe('dropped');
    await until('the waiting has ended', () => waiting!.aborted);
    expect(calls.map(([name]) => name)).not.toContain('command');
  });
});

test('while no worker answers, no progress is told, the engine is roused once, and the answer says to ask again', async () => {
  const live = { ...(await api.world.read(await api.world.create(SLEEPS))), plan_id: ID } as ReadPlan;
  const standing = {
    ...live,
    state: { status: 'executing' },
    progress: { done: 1, total: 4, percentage: 25 },
  } as ReadPlan;
  const message = 'no worker is polling; last known state';
  const last = {
    ...standing,
    progress: { done: 0, total: 0, percentage: 0 },
    freshness: { live: false, at: live.freshness.at, message },
  } as ReadPlan;
  const views = [standing, last, last, { ...standing, progress: { done: 2, total: 3, percentage: 66 } }, last];
  const { service } = fakeService({
    read: async () => (views.length > 1 ? views.shift()! : views[0]!),
    follow: async () => ({
      over: false,
      async *pushed() {
        for (let i = 0; i < 4; i++) yield { what: 'last_known', view: last } as const;
      },
    }),
  });
  const told: [number, number, string][] = [];
  let roused = 0;
  const { view, waited } = await waitForPlan(
    {
      service,
      caller,
      place: () => PLACE,
      api: undefined,
      signal: AbortSignal.timeout(60_000),
      push: async () => {},
      rouse: async () => {
        roused += 1;
      },
      progress: async (...now) => void told.push(now),
    },
    ID,
    { seconds: 30, until: 'attention' },
  );
  expect(waited).toBe('timeout');
  expect(told.map(([done, total, text]) => [Math.floor(done), total, text.slice(0, 11)])).toEqual([
    [1, 4, 'Step 1 of 4'],
    [2, 4, 'Step 2 of 3'],
  ]);
  expect(roused).toBe(2);
  expect(statusOf(view).next_steps).toBe(`No worker answers for it now (${message}): plan_wait or plan_status again.`);
  expect(progressText(view)).toBe('No worker answers now');
});

test('a wait lost on the way is asked for again and follows the same plan, until the stop tool stops it (case 38)', async () => {
  const w = witness();
  const { tool } = rpcClient(api.url);
  const began = Date.now();
  const { plan_id } = (await tool('plan_create', { plan: SLEEPS.replace('sleep 300', `"${w.mark('a')}; sleep 300"`) }))
    .body;
  expect(Date.now() - began).toBeLessThan(5_000);
  for (let i = 0; i < 3; i++)
    await expect(tool('plan_wait', { plan_id }, AbortSignal.timeout(300))).rejects.toThrow(/abort|timeout/i);
  const again = tool('plan_wait', { plan_id });
  expect((await tool('plan_status', { plan_id })).body.state).toBe('processing');
  await tool('plan_stop', { plan_id });
  expect((await again).body).toMatchObject({ waited: 'ended', state: 'stopped' });
  expect(w.n('a')).toBe(1);
});

test.runIf(FULL)('left alone, a wait answers before clients give up, which most do after 60 s (case 38)', async () => {
  const plan_id = await api.world.create(SLEEPS);
  const { tool } = rpcClient(api.url);
  const began = Date.now();
  expect((await tool('plan_wait', { plan_id })).body).toMatchObject({ waited: 'timeout', state: 'processing' });
  expect(Date.now() - began).toBeLessThan(50_000);
  await tool('plan_stop', { plan_id });
});

test('of a plan that others answer, the end is waited for', async () => {
  const plan_id = await api.world.create('plan: 1\nname: gate\ntasks:\n  ok: { approve: Go on? }\n');
  const { tool } = rpcClient(api.url);
  expect((await tool('plan_wait', { plan_id })).body.waited).toBe('needs_attention');
  const ended = tool('plan_wait', { plan_id, until: 'ended' });
  await tool('plan_answer', { plan_id });
  expect((await ended).body).toMatchObject({ waited: 'ended', state: 'completed' });
});

test('who waits is told at once when the plan begins to ask', async () => {
  const plan_id = await api.world.create(
    'plan: 1\nname: later\ntasks:\n  first: { wait: 1s }\n  ok: { needs: [first], approve: Go on? }\n',
  );
  const { body } = await rpcClient(api.url).tool('plan_wait', { plan_id });
  expect(body).toMatchObject({ waited: 'needs_attention', questions: [{ task: 'ok', options: expect.anything() }] });
});

test('waiting again and again adds nothing to the history of a paused plan', async () => {
  const plan_id = await api.world.create('plan: 1\nname: gate\ntasks:\n  ok: { approve: Go on? }\n');
  const { tool } = rpcClient(api.url);
  await tool('plan_wait', { plan_id });
  await tool('plan_pause', { plan_id });
  const before = (await api.world.history(plan_id)).length;
  for (let i = 0; i < 20; i++) await tool('plan_wait', { plan_id, timeout_seconds: 0.05, until: 'ended' });
  expect((await api.world.history(plan_id)).length).toBe(before);
});
