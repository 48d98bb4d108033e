import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import { Fault } from '../../src/faults.ts';
import type { PlanEvent } from '../../src/plan/events.ts';
import type { PlanStateView } from '../../src/plan/lifecycle.ts';
import { localBus } from '../../src/service/bus.ts';
import type { Pushed } from '../../src/service/hub/follow.ts';
import type { StateChange } from '../../src/service/hub/organisation.ts';
import { createHub } from '../../src/service/hub.ts';
import type { ReadPlan } from '../../src/service/read-plan.ts';
import type { StoryEntry } from '../../src/service/story.ts';
import { caller, startWorld, until } from '../support/world.ts';

const PLAN = { org_id: 'acme', plan_id: 'p' };
const TOTALS = {
  pending: 0,
  running: 0,
  waiting: 0,
  backing_off: 0,
  succeeded: 0,
  failed: 0,
  skipped: 0,
  cancelled: 0,
};

/** A plan that says what it is told to say, and how often and after what it was asked. */
function fakePlan({ quietMs = 60_000, compareMs = 60_000 } = {}) {
  const events: StoryEntry[] = [];
  const asked: number[] = [];
  const bus = localBus();
  let gate = Promise.resolve();
  let fault: Fault | undefined;
  let gone = 0;
  let compared = 0;
  const state = (): PlanStateView | undefined =>
    (events.findLast((entry) => 'state' in entry && entry.state) as PlanEvent | undefined)?.state;
  const hub = createHub(
    {
      async story(_plan, { after, limit = Number.POSITIVE_INFINITY }) {
        asked.push(after);
        // As they are when it is asked; the answer comes later.
        const found = events.filter(({ seq }) => seq > Math.max(after, gone)).slice(0, limit);
        const gap: StoryEntry[] =
          after < gone ? [{ type: 'gap', from_seq: after + 1, seq: gone, message: 'removed by retention' }] : [];
        const before = events.find(({ seq }) => seq === after) as PlanEvent | undefined;
        const told = { entries: [...gap, ...found], seq: events.at(-1)?.seq ?? 0, ...(before && { before }) };
        await gate;
        if (fault) throw fault;
        return told;
      },
      view: async () => ({ seq: events.at(-1)?.seq ?? 0, state: state() ?? { status: 'executing' } }) as ReadPlan,
      async statuses() {
        compared += 1;
        return [{ plan_id: 'p', status: state()?.status ?? 'executing' }];
      },
    },
    bus,
    { quietMs, compareMs },
  );
  const add = (more: Partial<PlanEvent> = {}) => {
    events.push({ seq: (events.at(-1)?.seq ?? 0) + 1, at: Date.now(), type: 'TaskStarted', ...more } as PlanEvent);
  };
  return {
    hub,
    asked,
    compared: () => compared,
    add,
    state: (status: 'executing' | 'paused' | 'awaiting_input' | 'completed' | 'failed') =>
      add({
        type: 'PlanStateChanged',
        state: { status },
        ...(['completed', 'failed'].includes(status) && { totals: TOTALS, error: null }),
      }),
    hint: () => bus.publish(PLAN),
    /** Answers wait until what this gives is called. */
    hold() {
      let open = () => {};
      gate = new Promise((resolve) => {
        open = resolve;
      });
      return open;
    },
    fail(found: Fault | undefined) {
      fault = found;
    },
    /** An operator has reset the plan to before this event. */
    resetTo(seq: number) {
      events.splice(events.findIndex((entry) => entry.seq === seq));
    },
    /** Retention has removed what comes before this event. */
    forgetBefore(seq: number) {
      gone = seq - 1;
    },
    follow(after?: number | 'unknown', closed = false) {
      const ended = new AbortController();
      onTestFinished(() => ended.abort());
      return reader(hub.follow(PLAN, { after, closed, signal: ended.signal }));
    },
  };
}

/** Takes all that comes; `told` shows the numbers of events, and what else was said. */
function reader(pushed: AsyncGenerator<Pushed>) {
  const told: (number | string)[] = [];
  let over: 'ended' | Error | undefined;
  const done = (async () => {
    for await (const one of pushed)
      told.push(one.what === 'event' ? one.event.seq : `${one.what}${'seq' in one ? ` ${one.seq}` : ''}`);
  })().then(
    () => {
      over = 'ended';
    },
    (error: Error) => {
      over = error;
    },
  );
  return { told, done, over: () => over, has: (n: number | string) => until(`${n} is told`, () => told.includes(n)) };
}

const upTo = (n: number) => Array.from({ length: n }, (_, i) => i + 1);

describe('following one plan', () => {
  test('tells what there is, then what comes, in order and each once, and ends with the run', async () => {
    const plan = fakePlan();
    plan.add();
    plan.add();
    const { told, has, done } = plan.follow();
    await has(2);
    plan.add();
    plan.hint();
    plan.hint();
    await has(3);
    plan.state('completed');
    plan.hint();
    await done;
    expect(told).toEqual([1, 2, 3, 4]);
  });

  test('a hint during a read causes one more read, however many there are', async () => {
    const plan = fakePlan();
    plan.add();
    const { has } = plan.follow();
    await has(1);
    const open = plan.hold();
    plan.hint();
    const { length } = plan.asked;
    plan.add();
    for (let i = 0; i < 20; i++) plan.hint();
    expect(plan.asked).toHaveLength(length);
    open();
    await has(2);
    expect(plan.asked).toHaveLength(length + 1);
  });

  test('a hint that is lost costs no more than the quiet time', async () => {
    const plan = fakePlan({ quietMs: 20 });
    plan.add();
    const { has } = plan.follow();
    await has(1);
    plan.add();
    await has(2);
  });

  test.each([
    ['none can be lost, for there are none', 'without a bus', 1_000],
    ['a bus hints', 'with one', 5_000],
  ])('where %s, a plan is read every so often (%s: %i ms)', async (_, which, ms) => {
    vi.useFakeTimers();
    onTestFinished(() => void vi.useRealTimers());
    let reads = 0;
    const story = async () => {
      reads += 1;
      return { entries: [], seq: 0 };
    };
    const unasked = () => Promise.reject(new Error('not asked for'));
    const hub = createHub({ story, view: unasked, statuses: unasked }, which === 'with one' ? localBus() : undefined);
    const gone = new AbortController();
    const following = hub.follow(PLAN, { after: undefined, closed: false, signal: gone.signal }).next();
    await vi.advanceTimersByTimeAsync(ms - 1);
    expect(reads).toBe(1);
    await vi.advanceTimersByTimeAsync(1);
    expect(reads).toBe(2);
    gone.abort();
    await following;
  });

  test('fifty followers share each read', async () => {
    const plan = fakePlan();
    plan.add();
    const all = upTo(50).map(() => plan.follow());
    await Promise.all(all.map(({ has }) => has(1)));
    const before = plan.asked.length;
    expect(before).toBeLessThan(5);
    plan.add();
    plan.hint();
    await Promise.all(all.map(({ has }) => has(2)));
    expect(plan.asked).toHaveLength(before + 1);
  });

  test('who takes its time holds nobody else, and misses nothing although more has come than is kept for all', async () => {
    const plan = fakePlan();
    plan.add();
    const ended = new AbortController();
    const slow = plan.hub.follow(PLAN, { after: 0, closed: false, signal: ended.signal });
    const quick = plan.follow();
    expect(await slow.next()).toMatchObject({ value: { event: { seq: 1 } } });
    await quick.has(1);
    for (let i = 0; i < 60; i++) {
      for (let k = 0; k < 50; k++) plan.add();
      plan.hint();
      await quick.has(1 + (i + 1) * 50);
    }
    plan.state('completed');
    plan.hint();
    await quick.done;
    expect(quick.told).toEqual(upTo(3_002));
    const rest = reader(slow);
    await rest.done;
    expect(rest.told).toEqual(upTo(3_002).slice(1));
  });

  test.each(upTo(6).map((n) => n - 1))('whoever comes again after event %i gets exactly the rest', async (after) => {
    const plan = fakePlan();
    for (let i = 0; i < 5; i++) plan.add();
    plan.state('completed');
    const { told, done } = plan.follow(after, true);
    await done;
    expect(told).toEqual(upTo(6).slice(after));
  });

  test('a plan that went on in a next run is followed through the end of the earlier one', async () => {
    const plan = fakePlan();
    plan.add();
    plan.state('failed');
    plan.add({ type: 'RunStarted' });
    const { told, has, done } = plan.follow();
    await has(3);
    plan.state('completed');
    plan.hint();
    await done;
    expect(told).toEqual([1, 2, 3, 4]);
  });

  test('a command that was refused after the end does not come after it', async () => {
    const plan = fakePlan();
    plan.state('completed');
    plan.add({ type: 'CommandRefused' });
    const { told, done } = plan.follow(undefined, true);
    await done;
    expect(told).toEqual([1]);
    const again = plan.follow(1, true);
    await again.done;
    expect(again.told).toEqual([]);
    const isTold = async (after: number) => await plan.hub.isTold({ org_id: 'o', plan_id: 'p' }, after);
    expect([await isTold(0), await isTold(1), await isTold(2), await isTold(3)]).toEqual([false, true, true, false]);
  });

  test('whoever asks after a number of the future gets the end once more, not what was refused after it', async () => {
    const plan = fakePlan();
    plan.add();
    plan.state('completed');
    for (let i = 0; i < 5; i++) plan.add({ type: 'CommandRefused' });
    const { told, done } = plan.follow(99, true);
    await done;
    expect(told).toEqual(['resync 1', 2]);
  });

  test('a next run is followed over commands that were refused before it', async () => {
    const plan = fakePlan();
    plan.state('failed');
    plan.add({ type: 'CommandRefused' });
    plan.add({ type: 'RunStarted' });
    plan.state('completed');
    plan.add({ type: 'CommandRefused' });
    const { told, done } = plan.follow(undefined, true);
    await done;
    expect(told).toEqual([1, 2, 3, 4]);
  });

  test.each([['unknown' as const], [99]])('after %s: one resync, and on from there', async (after) => {
    const plan = fakePlan();
    plan.add();
    plan.add();
    const { told, has } = plan.follow(after);
    await has('resync 2');
    plan.add();
    plan.hint();
    await has(3);
    expect(told).toEqual(['resync 2', 3]);
  });

  test('a number that is only new to the hub is honoured', async () => {
    const plan = fakePlan();
    plan.add();
    const first = plan.follow();
    await first.has(1);
    plan.add(); // and its hint is lost
    const { told, has } = plan.follow(2);
    plan.add();
    plan.hint();
    await has(3);
    expect(told).toEqual([3]);
  });

  test('where early events are gone: a snapshot from the beginning, a resync after one of them, nothing later', async () => {
    const plan = fakePlan();
    for (let i = 0; i < 9; i++) plan.add();
    plan.state('completed');
    plan.forgetBefore(5);
    for (const [after, expected] of [
      [undefined, ['snapshot 9', 10]],
      [2, ['resync 9', 10]],
      [4, upTo(10).slice(4)],
    ] as const) {
      const { told, done } = plan.follow(after, true);
      await done;
      expect(told).toEqual(expected);
    }
  });

  test.each([
    ['back', 2, 0],
    ['and it has come as far again', 2, 3],
  ])('a plan that an operator has reset: one resync (%s)', async (_, to, more) => {
    const plan = fakePlan();
    for (let i = 0; i < 4; i++) plan.add();
    const { told, has } = plan.follow();
    await has(4);
    plan.add();
    plan.hint();
    await has(5);
    plan.resetTo(to);
    for (let i = 0; i < more + 1; i++) plan.add({ type: 'TaskFailed' });
    plan.hint();
    await has(`resync ${to + more}`);
    plan.add();
    plan.hint();
    await until('it goes on', () => told.at(-1) === to + more + 1);
    expect(told).toEqual([1, 2, 3, 4, 5, `resync ${to + more}`, to + more + 1]);
  });

  test('while no worker answers: once what was last known, and the events when one does', async () => {
    const plan = fakePlan({ quietMs: 20 });
    plan.add();
    plan.fail(new Fault('ENGINE_UNAVAILABLE', 'no worker answers'));
    const { told, has } = plan.follow();
    await has('last_known');
    await until('it has been asked again', () => plan.asked.length > 5);
    plan.fail(undefined);
    await has(1);
    expect(told).toEqual(['last_known', 1]);
  });

  test('a plan that is removed while it is followed ends its followers', async () => {
    const plan = fakePlan({ quietMs: 20 });
    plan.add();
    const { has, done, over } = plan.follow();
    await has(1);
    plan.fail(new Fault('PLAN_NOT_FOUND', 'there is no plan p'));
    await done;
    expect(over()).toMatchObject({ code: 'PLAN_NOT_FOUND' });
  });

  test('nobody follows any more: it is not read any more', async () => {
    const plan = fakePlan({ quietMs: 10 });
    plan.add();
    const ended = new AbortController();
    const { has, done } = reader(plan.hub.follow(PLAN, { after: 0, closed: false, signal: ended.signal }));
    await has(1);
    ended.abort();
    await done;
    const { length } = plan.asked;
    plan.hint();
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect(plan.asked).toHaveLength(length);
  });
});

describe("an organisation's changes", () => {
  function subscribed(plan: ReturnType<typeof fakePlan>, org = 'acme') {
    const told: StateChange[] = [];
    onTestFinished(plan.hub.subscribe(org, (change) => void told.push(change)));
    return { told, states: () => told.map(({ state, seq }) => `${seq} ${state.status}`) };
  }

  test('are told to all its subscribers, in between states too, and to no other organisation', async () => {
    const plan = fakePlan();
    const [one, two, other] = [subscribed(plan), subscribed(plan), subscribed(plan, 'evil')];
    plan.add();
    plan.state('executing');
    plan.state('awaiting_input');
    plan.hint();
    await until('both have it', () => one.told.length === 2 && two.told.length === 2);
    plan.state('paused');
    plan.add();
    plan.hint();
    await until('both have it', () => one.told.length === 3 && two.told.length === 3);
    expect(one.states()).toEqual(['2 executing', '3 awaiting_input', '4 paused']);
    expect(two.told).toEqual(one.told);
    expect(one.told[0]).toMatchObject({ org_id: 'acme', plan_id: 'p', state: { status: 'executing' }, seq: 2 });
    expect(other.told).toEqual([]);
  });

  test('what was before the first subscriber came is not told', async () => {
    const plan = fakePlan();
    for (let i = 0; i < 300; i++) plan.add({ at: 1_000, type: 'PlanStateChanged', state: { status: 'executing' } });
    const { told, states } = subscribed(plan);
    plan.state('paused');
    plan.hint();
    await until('it is told', () => told.length > 0);
    expect(states()).toEqual(['301 paused']);
  });

  test('a plan that goes on in a next run is told of on, each change once', async () => {
    const plan = fakePlan();
    const { told, states } = subscribed(plan);
    plan.state('failed');
    plan.hint();
    await until('its end is told', () => told.length === 1);
    plan.add({ type: 'RunStarted' });
    plan.state('executing');
    plan.hint();
    await until('its next run is told', () => told.length === 2);
    expect(states()).toEqual(['1 failed', '3 executing']);
  });

  test('what was never hinted is found by the list: plans of other engines, and lost hints', async () => {
    const plan = fakePlan({ compareMs: 20 });
    plan.state('executing');
    const { told, states } = subscribed(plan);
    await until('it has been compared', () => plan.compared() > 1);
    plan.state('paused');
    plan.state('awaiting_input');
    await until('it is told', () => told.some(({ state }) => state.status === 'awaiting_input'));
    expect(states().slice(-2)).toEqual(['2 paused', '3 awaiting_input']);
  });
});

describe('with a plan at work', () => {
  let world: Awaited<ReturnType<typeof startWorld>>;
  beforeAll(async () => {
    world = await startWorld();
  });
  afterAll(async () => await world.stop());
  const GATE = 'plan: 1\nname: gate\ntasks:\n  a: { set: { x: 1 } }\n  ok: { needs: a, approve: "Go on?" }\n';

  async function following(id: string, after?: number) {
    const { pushed } = await world.service.follow(caller, id, after);
    const ended = new AbortController();
    onTestFinished(() => ended.abort());
    return reader(pushed(ended.signal) as AsyncGenerator<Pushed>);
  }

  test('the story is whole, and the same for who was there and who comes late at any number', async () => {
    const id = await world.create(GATE);
    const live = await following(id);
    await world.reaches(id, 'awaiting_input');
    for (const name of ['pause', 'resume', 'stop'] as const) await world.service.command(caller, id, name);
    await live.done;
    const all = (await world.service.events(caller, id, 0)).map(({ seq }) => seq);
    expect(live.told).toEqual(all);
    for (const after of all) {
      const late = await following(id, after);
      await late.done;
      expect(late.told, `after ${after}`).toEqual(all.filter((seq) => seq > after));
    }
    expect((await world.service.follow(caller, id, all.at(-1)!)).over).toBe(true);
  });

  test('terminated in Temporal: it ends as stopped, by the operator, with what had not ended cancelled', async () => {
    const id = await world.create(GATE);
    await world.reaches(id, 'awaiting_input');
    const live = await following(id);
    await live.has((await world.read(id)).seq);
    await world.handle(id).terminate('enough');
    await live.done;
    const events = await world.service.events(caller, id, 0);
    expect(live.told).toEqual(events.map(({ seq }) => seq));
    const [stopped, last] = events.slice(-2);
    expect(stopped).toMatchObject({ type: 'PlanStopped', by: 'operator (Temporal)' });
    expect(stopped!.message).toMatch(/^terminated from outside \(Temporal\): enough, by /);
    expect(last).toMatchObject({
      type: 'PlanStateChanged',
      state: { status: 'stopped' },
      error: { code: 'ENDED_OUTSIDE' },
      totals: { succeeded: 1, cancelled: 1 },
    });
    expect((await world.service.follow(caller, id, last!.seq)).over).toBe(true);
    const view = await world.read(id);
    expect(view.state).toEqual({ status: 'stopped' });
    expect(view.tasks.map(({ status }) => status)).toEqual(['succeeded', 'cancelled']);
  });
});
