import { readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Client, Connection } from '@temporalio/client';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { readModels } from '../../src/activities/llm/models.ts';
import { LEDGER_ENTRIES, ledgerId } from '../../src/contract/names.ts';
import type { Fault } from '../../src/faults.ts';
import type { Caller } from '../../src/service/caller.ts';
import type { CommandRequest } from '../../src/service/control-plan.ts';
import { ledgerEntries } from '../../src/service/ledger/entries.ts';
import { signalLedger } from '../../src/service/ledger/signal.ts';
import { readLedger } from '../../src/service/limits.ts';
import { recordPlace } from '../../src/service/place.ts';
import { type LlmStub, llmStub, type Reply } from '../support/llm-stub.ts';
import { caller as local, startWorld, tempDir, until } from '../support/world.ts';

let world: Awaited<ReturnType<typeof startWorld>>;
let stub: LlmStub;
/** What the model answers to a prompt such as `400` is so many tokens; tests may say otherwise. */
let model: (user: string, n: number) => Reply | Promise<Reply> | undefined;

beforeAll(async () => {
  stub = await llmStub(async ({ user, n }) => {
    const told = await model(user, n);
    return told ?? { text: `said ${user}`, input_tokens: 0, output_tokens: Number(user) };
  });
  const modelsFile = join(tempDir('models'), 'models.yaml');
  writeFileSync(modelsFile, 'dear: { model: stub, input_cost: 0, output_cost: 1000000 }');
  const settings = { baseUrl: stub.base_url, model: 'stub', modelsFile, key: () => 'sk-0123456789abcdef' };
  world = await startWorld({ models: await readModels(settings) });
});
afterAll(async () => {
  await world.stop();
  stub.stop();
});

/** Every test has an organisation of its own, and with that a ledger. */
let caller: Caller;
let orgs = 0;
beforeEach(() => {
  model = () => undefined;
  const org_id = `limits-${process.pid}-${++orgs}`;
  caller = { ...local, principal: { ...local.principal, org_id } };
});

const create = async (plan: string, charged_to?: { chat?: string; project?: string }) =>
  (await world.service.create(caller, { plan, place: recordPlace(process.env), ...(charged_to && { charged_to }) }))
    .plan_id;
const read = (id: string) => world.service.read(caller, id);
const reaches = (id: string, status: string) =>
  until(`it is ${status}`, async () => {
    const view = await read(id);
    if (['failed', 'stopped'].includes(view.state.status)) throw new Error(JSON.stringify(view.error));
    return view.state.status === status && view;
  });
const resume = (id: string, request: CommandRequest = {}) => world.service.command(caller, id, 'resume', request);
const refusal = (asked: Promise<unknown>): Promise<Fault> =>
  asked.then(
    () => Promise.reject(new Error('it was not refused')),
    (fault: Fault) => fault,
  );
const ask = (tokens: number, more = '') => `{ llm: { prompt: "${tokens}", max_output_tokens: 10 }${more} }`;
const attempts = async (id: string) =>
  Object.fromEntries((await read(id)).tasks.map(({ id, attempt }) => [id, attempt]));
const askedFor = (since: number) => stub.calls.slice(since).map(({ user }) => user);
const day = async () => (await readLedger(world.client, caller)).day;

const CASE_12 = `
plan: 1
name: budget
budget: { max_tokens: 1000 }
tasks:
  a: ${ask(401)}
  b: ${ask(5000)}
  c: ${ask(402)}
  d: ${ask(403, ', needs: [a, b, c]')}
`;

describe('a budget', () => {
  test('holds the plan before the next call: nothing more starts, and it is told what is spent (case 12)', async () => {
    const since = stub.calls.length;
    const id = await create(CASE_12);
    const { hold, waiting_for } = await reaches(id, 'paused');
    expect(hold).toMatchObject({
      reason: 'cost_limit',
      by: 'Holdpoint',
      details: { limit: 'plan', spent: 5_803, max: 1_000, needed: 11, unit: 'tokens' },
    });
    expect(waiting_for[0]?.text).toContain('5,803 of 1,000 tokens');
    expect(askedFor(since).sort()).toEqual(['401', '402', '5000']);
    expect(await attempts(id)).toEqual({ a: 1, b: 1, c: 1, d: 0 });
  });

  test('is raised to go on, and nothing is paid again (case 13)', async () => {
    const since = stub.calls.length;
    const id = await create(CASE_12);
    await reaches(id, 'paused');
    const unchanged = await refusal(resume(id));
    expect([unchanged.code, unchanged.limit]).toEqual([
      'COST_LIMIT',
      { errorType: 'cost_limit', limit: 'plan', spent: 5_803, max: 1_000, missing: 4_814, unit: 'tokens' },
    ]);
    expect(unchanged.message).toContain('4,814 tokens are missing');
    expect((await refusal(resume(id, { budget: { max_tokens: 500 } }))).limit).toMatchObject({ max: 500 });
    expect((await refusal(world.service.nextRun(caller, id, { mode: 'retry' }))).code).toBe('PLAN_NOT_RESUMABLE');
    expect((await read(id)).state.status).toBe('paused');
    await resume(id, { budget: { max_tokens: 10_000 } });
    const { tasks } = await reaches(id, 'completed');
    expect(tasks.map(({ attempt, status }) => [attempt, status])).toEqual(Array(4).fill([1, 'succeeded']));
    expect(askedFor(since).sort()).toEqual(['401', '402', '403', '5000']);
    expect(await world.service.budget(caller, id)).toMatchObject({
      budget: { max_tokens: 10_000, max_cost: null },
      spent: { tokens: 6_206, reserved: { tokens: 0 } },
    });
  });

  test('in tokens and in money is asked for both on resume: raising the one that refused is not enough', async () => {
    const dear = (needs = '') => `{ llm: { prompt: "30", max_output_tokens: 10, model: dear }${needs} }`;
    const budget = '{ max_tokens: 40, max_cost: 35 }';
    const id = await create(
      `plan: 1\nname: both\nbudget: ${budget}\ntasks:\n  a: ${dear()}\n  b: ${dear(', needs: [a]')}\n`,
    );
    const { hold } = await reaches(id, 'paused');
    expect(hold?.details).toMatchObject({ unit: 'tokens', spent: 30, needed: 11, tokens: 11, cost: 10 });
    const { limit } = await refusal(resume(id, { budget: { max_tokens: 1_000 } }));
    expect(limit).toMatchObject({ limit: 'plan', unit: 'cost', spent: 30, max: 35, missing: 5 });
    await resume(id, { budget: { max_cost: 40 } });
    await reaches(id, 'completed');
  });

  test('with `on_exceeded: fail` fails its task, once', async () => {
    const id = await create(CASE_12.replace('max_tokens: 1000', 'max_tokens: 1000, on_exceeded: fail'));
    const { error } = await until('it has failed', async () => {
      const view = await read(id);
      return view.state.status === 'failed' && view;
    });
    expect(error).toMatchObject({ code: 'COST_LIMIT', task: 'd' });
  });

  test('holds the whole plan when it is reached inside a map or a sub-plan', async () => {
    const id = await create(`
plan: 1
name: inside
budget: { max_tokens: 100 }
tasks:
  each: { map: { in: ["60", "61", "62", "63"], max_parallel: 1, task: { llm: { prompt: "\${{ item }}", max_output_tokens: 10 } } } }
  sub: { needs: [each], plan: { tasks: { x: ${ask(64)}, y: ${ask(65, ', needs: [x]')} } } }
`);
    const { hold } = await reaches(id, 'paused');
    expect(hold).toMatchObject({ reason: 'cost_limit', details: { limit: 'plan', spent: 121, max: 100 } });
    await resume(id, { budget: { max_tokens: 300 } });
    const again = await until('it is held in the sub-plan', async () => {
      const view = await read(id);
      return view.hold?.details?.max === 300 && view.state.status === 'paused' && view;
    });
    expect(again.hold?.details).toMatchObject({ spent: 310 });
    await resume(id, { budget: { max_tokens: null } });
    await reaches(id, 'completed');
    expect((await world.service.budget(caller, id)).spent.tokens).toBe(375);
  });
});

test('the quota of a provider holds the plan and burns no attempt; after it, only what is missing is asked (case 14)', async () => {
  const since = stub.calls.length;
  let over = false;
  let called = 0;
  model = () => {
    called += 1;
    if (over || called < 6) return undefined;
    const error = { message: 'limit, resets later', type: 'insufficient_quota', code: 'insufficient_quota' };
    return { status: 429, error, headers: { 'retry-after': '3600' } };
  };
  const tasks = Array.from(
    { length: 20 },
    (_, n) => `  t${n}: ${ask(100 + n, ', retry: { max_attempts: 3, delay: 1s }')}`,
  );
  const id = await create(`plan: 1\nname: quota\nmax_parallel: 4\ntasks:\n${tasks.join('\n')}\n`);
  const { hold, waiting_for, progress } = await reaches(id, 'paused');
  expect(hold).toMatchObject({ reason: 'provider_limit', details: { limit: 'provider' } });
  expect(hold?.details?.resets_at).toBeDefined();
  expect(waiting_for[0]?.text).toContain(hold!.details!.resets_at);
  expect(stub.calls.length - since).toBeLessThanOrEqual(9);
  expect(progress.done).toBe(5);
  expect(Object.values(await attempts(id)).sort()).toEqual([...Array(15).fill(0), ...Array(5).fill(1)]);
  over = true;
  const before = stub.calls.length;
  await resume(id);
  const done = await reaches(id, 'completed');
  expect(done.tasks.every(({ status, attempt }) => status === 'succeeded' && attempt === 1)).toBe(true);
  expect(stub.calls.length - before).toBe(15);
});

describe('limits of the organisation', () => {
  test('keep plans side by side from overspending together; ledger and provider agree to the token', async () => {
    const answered = stub.answered.total_tokens;
    await world.service.setLimits(caller, { maxTokensPerDay: 1_000 });
    // Each call is estimated at 11 and comes to 30.
    const tasks = Array.from({ length: 10 }, (_, n) => `  t${n}: ${ask(30)}`).join('\n');
    const ids = await Promise.all(Array.from({ length: 10 }, () => create(`plan: 1\nname: p\ntasks:\n${tasks}\n`)));
    for (const id of ids)
      await until('it stands', async () => ['paused', 'completed'].includes((await read(id)).state.status));
    const { tokens, reserved } = await day();
    expect(tokens).toBe(stub.answered.total_tokens - answered);
    expect(reserved.tokens).toBe(0);
    expect(tokens).toBeGreaterThan(970);
    expect(tokens).toBeLessThanOrEqual(1_000 + 100 * (30 - 11));
    const views = await Promise.all(ids.map(read));
    const held = views.filter(({ state }) => state.status === 'paused').map(({ plan_id }) => plan_id);
    expect((await refusal(resume(held[0]!))).limit).toMatchObject({ limit: 'day_tokens', max: 1_000 });
    await world.service.setLimits(caller, { maxTokensPerDay: null });
    for (const id of held) await resume(id);
    for (const id of ids) await reaches(id, 'completed');
    expect((await day()).tokens).toBe(3_000);
    expect(stub.answered.total_tokens - answered).toBe(3_000);
  });

  test('are told of when most of one is spent; a chat is what several plans are charged to', async () => {
    await world.service.setLimits(caller, { maxTokensPerChat: 100 });
    const plan = `plan: 1\nname: p\ntasks:\n  a: ${ask(85)}\n`;
    const first = await create(plan, { chat: 'c1' });
    await reaches(first, 'completed');
    expect((await world.service.events(caller, first, 0)).some(({ type }) => type === 'LimitWarning')).toBe(false);
    const second = await create(plan, { chat: 'c1' });
    await reaches(second, 'completed');
    const [warning] = (await world.service.events(caller, second, 0)).filter(({ type }) => type === 'LimitWarning');
    expect(warning).toMatchObject({ task: 'a', details: { limit: 'chat', spent: 96, max: 100, unit: 'tokens' } });
    const third = await create(plan, { chat: 'c1' });
    expect((await reaches(third, 'paused')).hold?.details).toMatchObject({ limit: 'chat', chat: 'c1', spent: 170 });
    await reaches(await create(plan, { chat: 'c2' }), 'completed');
  });

  test('are told of by an attempt that fails, too', async () => {
    model = () => ({ status: 400, error: 'the context is too long' });
    await world.service.setLimits(caller, { maxTokensPerChat: 12 });
    const id = await create(`plan: 1\nname: p\ntasks:\n  a: ${ask(5)}\n`, { chat: 'c' });
    await until('it has failed', async () => (await read(id)).state.status === 'failed');
    const events = await world.service.events(caller, id, 0);
    expect(events.find(({ type }) => type === 'LimitWarning')).toMatchObject({ details: { limit: 'chat', spent: 11 } });
    expect((await read(id)).error).toMatchObject({ code: 'TASK_FAILED', message: expect.stringContaining('too long') });
  });
});

test('a ledger goes on over its histories: it counts what is told twice once, and answers meanwhile', async () => {
  const { org_id } = caller.principal;
  const handle = world.client.workflow.getHandle(ledgerId(org_id));
  const settle = (n: number) => ({ settle: { id: `x#1.1.${n % 1_000}`, tokens: 1, cost: 0.1, scopes: { plan: 'p' } } });
  const tell = (n: number) =>
    signalLedger(world.client, org_id, LEDGER_ENTRIES, { schema_version: 1, entries: [settle(n)] });
  const folder = tempDir('ledger');
  const { reserve } = ledgerEntries(world.client, folder)(org_id);
  await tell(0);
  const { runId } = await handle.describe();
  let asked = 0;
  const ask = async () => {
    for (let i = 0; i < 3; i++)
      expect(await reserve({ id: `y#1.1.${++asked}`, tokens: 5, cost: 0, scopes: { plan: 'p' } })).toEqual({
        granted: true,
      });
  };
  for (let n = 1; n < 2_600; n += 100)
    await Promise.all([ask(), ...Array.from({ length: 100 }, (_, k) => tell(n + k))]);
  await until('it is in its next history', async () => (await handle.describe()).runId !== runId);
  await tell(7);
  expect(await day()).toMatchObject({ tokens: 1_000, cost: 100, reserved: { tokens: 5 * asked } });
  rmSync(folder, { recursive: true });
});

describe('what is told to a ledger', () => {
  const org = () => caller.principal.org_id;
  const call = (id: string, tokens = 5) => ({ id, tokens, cost: 0, scopes: { plan: 'p' } });
  const came = (id: string, tokens: number) => ({ ...call(id, tokens), input_tokens: 0, output_tokens: tokens });
  /** How many Signals and Updates it has taken. */
  const taken = async () => {
    const { events } = await world.client.workflow.getHandle(ledgerId(org())).fetchHistory();
    const all = events ?? [];
    return {
      signals: all.filter((event) => event.workflowExecutionSignaledEventAttributes?.input?.payloads).length,
      updates: all.filter((event) => event.workflowExecutionUpdateAcceptedEventAttributes).length,
    };
  };
  let folder: string;
  beforeEach(() => {
    folder = tempDir('ledger');
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  test('at once goes out together', async () => {
    const ledger = ledgerEntries(world.client, folder)(org());
    const all = Array.from({ length: 300 }, (_, n) => ledger.reserve(call(`y#1.1.${n}`)));
    expect(await Promise.all(all)).toEqual(Array(300).fill({ granted: true }));
    expect((await day()).reserved.tokens).toBe(1_500);
    expect((await taken()).updates).toBeLessThan(10);
  });

  test('after a call goes out with what is told before the next, and in this order', async () => {
    const ledger = ledgerEntries(world.client, folder)(org());
    await world.service.setLimits(caller, { maxTokensPerDay: 25 });
    await ledger.reserve(call('y#1.1.1', 20));
    await ledger.settle(came('y#1.1.1', 3));
    const before = await taken();
    expect(await ledger.reserve(call('z#1.1.1', 20))).toEqual({ granted: true });
    expect(await taken()).toEqual({ ...before, updates: before.updates + 1 });
    expect(await ledger.reserve(call('z#1.1.2', 20))).toMatchObject({ granted: false, spent: 23 });
  });

  test('is what is read right after it', async () => {
    const ledger = ledgerEntries(world.client, folder)(org());
    await ledger.settle(came('y#1.1.1', 3));
    expect((await day()).tokens).toBe(3);
    await until('it is kept no longer', () => readdirSync(folder).length === 0);
  });

  test('while no worker works is kept, and taken', async () => {
    await world.stopWorker();
    try {
      await ledgerEntries(world.client, folder)(org()).settle(came('y#1.1.1', 3));
      await until('it is kept no longer', () => readdirSync(folder).length === 0);
    } finally {
      await world.startWorker();
    }
    expect((await day()).tokens).toBe(3);
  });

  test('by an engine that ended before it could is told by the next, before anything is reserved, and counted once', async () => {
    const gone = new Client({ connection: Connection.lazy({ address: '127.0.0.1:1' }) });
    const dead = ledgerEntries(gone, folder)(org());
    await Promise.all(['y#1.1.1', 'y#1.1.2'].map((id) => dead.settle(came(id, 3))));
    expect(readdirSync(folder)).toHaveLength(2);
    writeFileSync(join(folder, 'half.json'), '{"org_id": "');
    await world.service.setLimits(caller, { maxTokensPerDay: 25 });
    const next = ledgerEntries(world.client, folder)(org());
    expect(await next.reserve(call('z#1.1.1', 20))).toMatchObject({ granted: false, spent: 6 });
    await next.settle(came('y#1.1.1', 3));
    expect((await day()).tokens).toBe(6);
    await until('they are kept no longer', () => readdirSync(folder).join() === 'half.json');
  });
});
