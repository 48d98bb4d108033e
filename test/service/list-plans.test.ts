import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Fault } from '../../src/faults.ts';
import type { PlanStatus } from '../../src/plan/lifecycle.ts';
import type { Caller } from '../../src/service/caller.ts';
import type { ListRequest } from '../../src/service/list-plans.ts';
import { recordPlace } from '../../src/service/place.ts';
import { caller, startWorld, until } from '../support/world.ts';

let world: Awaited<ReturnType<typeof startWorld>>;
const ids: Record<string, string> = {};
/** In an organisation of its own, so that the list is this test's alone. */
const org_id = `lists-${process.pid}-${Date.now()}`;
const ada: Caller = { ...caller, principal: { id: "ada o'neil", name: 'Ada', org_id } };
const bob: Caller = { ...caller, principal: { id: 'bob', name: 'Bob', org_id } };
const list = (request: ListRequest = {}, as = ada) => world.service.list(as, request);
const named = async (request: ListRequest, as = ada) =>
  (await list(request, as)).plans.map(({ plan_id }) => Object.keys(ids).find((name) => ids[name] === plan_id)).sort();

beforeAll(async () => {
  world = await startWorld();
  const gate = (name: string, more = '') => `plan: 1\nname: ${name}\n${more}tasks:\n  ok: { approve: { prompt: x } }\n`;
  const create = async (name: string, plan: string, as = ada, more = {}) => {
    const made = await world.service.create(as, { plan, place: recordPlace(process.env), ...more });
    ids[name] = made.plan_id;
  };
  await create('waiting', gate('release-1', 'labels: { team: core, env: prod }\n'));
  await create('paused', gate('release-2', 'labels: { team: core }\n'), bob);
  await create('review', gate(`"it's \\"odd\\""`), ada, { review: 'required' });
  await create('later', gate('later'), ada, { start_at: new Date(Date.now() + 3_600_000).toISOString() });
  await create('completed', 'plan: 1\nname: done\ntasks:\n  a: { run: "true" }\n');
  await create('failed', 'plan: 1\nname: bad\ntasks:\n  a: { run: "exit 1" }\n');
  await create('stopped', gate('stopped'));
  await create('terminated', gate('terminated'));
  await create('resumed', gate('resumed'));
  const stateOf = async (name: string) => (await world.service.read(ada, ids[name]!)).state.status;
  const reaches = (name: string, status: PlanStatus) =>
    until(`${name} is ${status}`, async () => (await stateOf(name)) === status);
  for (const name of ['waiting', 'paused', 'stopped', 'terminated', 'resumed']) await reaches(name, 'awaiting_input');
  await world.service.command(ada, ids.paused!, 'pause');
  for (const name of ['stopped', 'resumed']) await world.service.command(ada, ids[name]!, 'stop');
  const handle = (name: string) => world.client.workflow.getHandle(`plan/${org_id}/${ids[name]}`);
  await handle('terminated').terminate('by an operator');
  await reaches('completed', 'completed');
  await reaches('failed', 'failed');
  await until('it has closed', async () => (await handle('resumed').describe()).status.name === 'FAILED');
  await world.service.nextRun(bob, ids.resumed!, { mode: 'resume' });
  await reaches('resumed', 'awaiting_input');
});
afterAll(async () => {
  for (const name of ['waiting', 'paused', 'review', 'later', 'resumed'])
    await world.service.command(ada, ids[name]!, 'stop').catch(() => undefined);
  await world.stop();
});

test('rows settle to what each plan says of itself, every plan once, however many runs it had (case 42)', async () => {
  const told = await until('the list has settled', async () => {
    const { plans } = await list();
    const states = plans.map(({ plan_id, state }) => [plan_id, state.status]);
    const own = await Promise.all(
      Object.values(ids).map(async (id) => [id, (await world.service.read(ada, id)).state.status]),
    );
    return JSON.stringify(states.sort()) === JSON.stringify(own.sort()) && plans;
  });
  for (const { plan_id, created_at, name } of told) {
    const view = await world.service.read(ada, plan_id);
    expect([plan_id, name]).toEqual([plan_id, view.name]);
    expect(Math.abs(Date.parse(created_at) - Date.parse(view.created_at))).toBeLessThan(1_000);
  }
});

describe('filters', () => {
  test.each<[ListRequest, string[]]>([
    [{ state: 'awaiting_input' }, ['resumed', 'waiting']],
    [{ state: 'paused,pending_review' }, ['paused', 'review']],
    [{ state: 'stand_by' }, ['later']],
    [{ state: 'stopped' }, ['stopped', 'terminated']],
    [{ state: 'failed' }, ['failed']],
    [{ state: 'completed, failed' }, ['completed', 'failed']],
    [{ state: 'executing' }, []],
    [{ needs_attention: true }, ['failed', 'paused', 'resumed', 'review', 'waiting']],
    [{ name: 'release-1' }, ['waiting']],
    [{ name: `it's "odd"` }, ['review']],
    [{ name: "' OR HoldpointOrg = 'local" }, []],
    [{ name: "\\' OR 1=1 --" }, []],
    [{ name_prefix: 'release-' }, ['paused', 'waiting']],
    [{ name_prefix: 'release-', state: 'paused' }, ['paused']],
    [{ labels: ['team=core'] }, ['paused', 'waiting']],
    [{ labels: ['team=core', 'env=prod'] }, ['waiting']],
    [{ labels: ['team=cor'] }, []],
    [{ created_before: '2001-01-01T00:00:00Z' }, []],
    [{ created_after: '2001-01-01T00:00:00Z', name: 'done' }, ['completed']],
    [{ enrollment: 'none' }, []],
  ])('%j', async (request, expected) => {
    await expect.poll(() => named(request), { timeout: 20_000 }).toEqual(expected);
  });

  test('mine are those that the caller started, or started anew', async () => {
    await expect.poll(() => named({ mine: true }, bob), { timeout: 20_000 }).toEqual(['paused', 'resumed']);
    expect(await named({ mine: true, name: 'release-1' })).toEqual(['waiting']);
  });

  test('another organisation sees nothing', async () => {
    const eve = { ...caller, principal: { id: 'eve', name: 'Eve', org_id: `${org_id}-other` } };
    expect((await list({}, eve)).plans).toEqual([]);
  });

  test.each<[ListRequest, RegExp]>([
    [{ state: 'sleeping' }, /state: "sleeping" is not one of/],
    [{ state: '' }, /state: "" is not one of/],
    [{ state: 'paused,' }, /state: "" is not one of/],
    [{ labels: ['team'] }, /label: "team": write KEY=VALUE/],
    [{ created_after: 'yesterday' }, /created_after: "yesterday" is not a time/],
    [{ name: 'a\0b' }, /name: has a control character/],
    [{ name: 'x'.repeat(301) }, /name: is longer than 300/],
    [{ limit: 0 }, /limit: "0" is not a whole number from 1 to 500/],
    [{ limit: 501 }, /limit: "501"/],
    [{ cursor: 'nonsense' }, /cursor: not one that a list gave/],
    [{ cursor: '' }, /cursor: not one that a list gave/],
  ])('%j is refused', async (request, message) => {
    const fault = (await list(request).catch((thrown: unknown) => thrown)) as Fault;
    expect([fault.code, fault.message]).toEqual(['REQUEST_INVALID', expect.stringMatching(message)]);
  });
});

describe('pages', () => {
  test('follow each other, each plan once; a cursor belongs to its filters', async () => {
    const all = await until('all are there', async () => {
      const { plans } = await list();
      return plans.length === Object.keys(ids).length && plans;
    });
    const found: string[] = [];
    let cursor: string | null = null;
    let first: string | null = null;
    do {
      const page = await list({ limit: 2, ...(cursor && { cursor }) });
      found.push(...page.plans.map(({ plan_id }) => plan_id));
      cursor = page.next_cursor;
      first ??= cursor;
    } while (cursor);
    expect(found).toEqual(all.map(({ plan_id }) => plan_id));
    const other = (await list({ state: 'paused', cursor: first! }).catch((thrown: unknown) => thrown)) as Fault;
    expect([other.code, other.message]).toEqual(['REQUEST_INVALID', expect.stringMatching(/other filters/)]);
    const eve = { ...caller, principal: { id: 'eve', name: 'Eve', org_id: `${org_id}-other` } };
    expect(((await list({ cursor: first! }, eve).catch((thrown: unknown) => thrown)) as Fault).code).toBe(
      'REQUEST_INVALID',
    );
  });
});
