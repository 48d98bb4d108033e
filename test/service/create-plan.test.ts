import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { SEARCH_ATTRIBUTES } from '../../src/contract/search-attributes.ts';
import { Fault } from '../../src/faults.ts';
import type { CreateRequest } from '../../src/service/create-plan.ts';
import { enrollmentId } from '../../src/service/ids.ts';
import { recordPlace } from '../../src/service/place.ts';
import { caller, startWorld, until } from '../support/world.ts';

let world: Awaited<ReturnType<typeof startWorld>>;
beforeAll(async () => {
  world = await startWorld();
});
afterAll(() => world.stop());

const GATE = 'plan: 1\nname: gate\ntasks:\n  ok: { approve: { prompt: "Go on?" } }\n';
let keys = 0;
const newKey = () => `key-${process.pid}-${Date.now()}-${keys++}`;
const create = (more: Partial<CreateRequest> = {}) =>
  world.service.create(caller, { plan: GATE, place: recordPlace(process.env), ...more });
const refused = async (made: Promise<unknown>): Promise<Fault> => {
  const fault = await made.then(
    (made) => new Error(`it was made: ${JSON.stringify(made)}`),
    (thrown: unknown) => thrown,
  );
  expect(fault).toBeInstanceOf(Fault);
  return fault as Fault;
};
const stop = async (id: string) => {
  await world.service.command(caller, id, 'stop');
  await until('it has ended', async () => (await world.handle(id).describe()).status.name !== 'RUNNING');
};

describe('enrollment', () => {
  const enroll = (key: string, policy: 'once' | 'multiple') => create({ enrollment: { key, policy } });

  test('once is blocked by any plan of the key, multiple by an active one, and the blocker is named', async () => {
    const key = newKey();
    const first = await enroll(key, 'once');
    expect(first.enrollment).toEqual({ key, policy: 'once', n: 1 });
    for (const policy of ['once', 'multiple'] as const) {
      const fault = await refused(enroll(key, policy));
      expect(fault.code).toBe('ENROLLMENT_BLOCKED');
      expect(fault.message).toContain(first.plan_id);
      expect(fault.blocked_by?.plan_id).toBe(first.plan_id);
    }
    await stop(first.plan_id);
    const fault = await refused(enroll(key, 'once'));
    expect(fault.blocked_by).toEqual({ plan_id: first.plan_id, state: { status: 'stopped' } });
    const second = await enroll(key, 'multiple');
    expect(second.enrollment).toEqual({ key, policy: 'multiple', n: 2 });
    await stop(second.plan_id);
  });

  test.each(['pending_review', 'stand_by', 'awaiting_input', 'executing', 'paused'] as const)(
    'multiple is blocked while one is %s',
    async (state) => {
      const key = newKey();
      const long = 'plan: 1\nname: long\ntasks:\n  a: { run: sleep 60 }\n';
      const { plan_id } = await create({
        enrollment: { key, policy: 'multiple' },
        ...(state === 'pending_review' && { review: 'required' }),
        ...(state === 'stand_by' && { start_at: new Date(Date.now() + 3_600_000).toISOString() }),
        ...(state === 'executing' && { plan: long }),
      });
      if (state === 'paused') {
        await world.reaches(plan_id, 'awaiting_input');
        await world.service.command(caller, plan_id, 'pause');
      }
      await world.reaches(plan_id, state);
      expect((await refused(enroll(key, 'multiple'))).blocked_by?.plan_id).toBe(plan_id);
      await stop(plan_id);
    },
  );

  test('of ten at once one wins, whatever their policies', async () => {
    for (const policy of ['once', 'multiple'] as const) {
      const key = newKey();
      const made = await Promise.allSettled(Array.from({ length: 10 }, () => enroll(key, policy)));
      const won = made.filter(({ status }) => status === 'fulfilled');
      expect(won.length).toBe(1);
      for (const result of made)
        if (result.status === 'rejected') expect((result.reason as Fault).code).toBe('ENROLLMENT_BLOCKED');
      await stop((won[0] as PromiseFulfilledResult<{ plan_id: string }>).value.plan_id);
    }
  });

  test('one that was resumed is active again, and one that was terminated from outside is not', async () => {
    const key = newKey();
    const first = await enroll(key, 'multiple');
    await stop(first.plan_id);
    const second = await enroll(key, 'multiple');
    await world.handle(second.plan_id).terminate('by an operator');
    await world.service.nextRun(caller, first.plan_id, { mode: 'resume' });
    const blocked = await until('the list shows the resumed one', async () => {
      const made = await enroll(key, 'multiple').catch((fault: Fault) => fault);
      if (made instanceof Fault) return made;
      await stop(made.plan_id);
      return undefined;
    });
    expect(blocked.blocked_by?.plan_id).toBe(first.plan_id);
    await stop(first.plan_id);
  });

  test('a key with a thousand plans that the list does not know costs some twenty questions', async () => {
    const key = newKey();
    const many = 1_000;
    const start = (n: number) =>
      world.client.workflow.start('plan', {
        workflowId: `plan/local/${enrollmentId('local', key, n)}`,
        taskQueue: 'nobody',
      });
    for (let n = 1; n <= many; n += 50)
      await Promise.all(Array.from({ length: 50 }, (_, i) => start(n + i).then((handle) => handle.terminate())));
    let asked = 0;
    const { workflowService } = world.client;
    const describe = workflowService.describeWorkflowExecution;
    workflowService.describeWorkflowExecution = function (this: unknown, ...given: unknown[]) {
      asked++;
      return (describe as (...given: unknown[]) => unknown).apply(workflowService, given);
    } as typeof describe;
    try {
      const made = await enroll(key, 'multiple');
      expect(made.enrollment?.n).toBe(many + 1);
      expect(asked).toBeLessThan(30);
      await stop(made.plan_id);
    } finally {
      workflowService.describeWorkflowExecution = describe;
    }
  });

  test.each([
    ['', /1 to 200 characters/],
    ['x'.repeat(201), /1 to 200 characters/],
    ['a\nb', /control character/],
    ['\ud800', /control character/],
  ])('the key %j is refused', async (key, message) => {
    const fault = await refused(enroll(key, 'multiple'));
    expect([fault.code, fault.message]).toEqual(['REQUEST_INVALID', expect.stringMatching(message)]);
  });

  test('an id of one’s own together with it is refused', async () => {
    const fault = await refused(
      create({ enrollment: { key: newKey(), policy: 'once' }, plan_id: '22222222-2222-4222-8222-222222222222' }),
    );
    expect([fault.code, fault.message]).toEqual(['REQUEST_INVALID', expect.stringMatching(/leave out either/)]);
  });

  test('odd characters are part of the key, and it finds its plans', async () => {
    const key = `it's "50 %" \\ 👩‍🚀 ${newKey()}`;
    const { plan_id } = await enroll(key, 'once');
    const listed = await until('it is listed', async () => {
      const { plans } = await world.service.list(caller, { enrollment: key });
      return plans.length > 0 && plans;
    });
    expect(listed.map((plan) => [plan.plan_id, plan.enrollment])).toEqual([[plan_id, { key, policy: 'once', n: 1 }]]);
    await stop(plan_id);
  });
});

describe('an id chosen by the caller', () => {
  const INPUTS = 'plan: 1\nname: given\ninputs: { o: { type: object } }\ntasks:\n  ok: { approve: { prompt: x } }\n';

  test('with the same body is the same plan, also at once, in another order of keys, and after its end (cases 29, 30)', async () => {
    const plan_id = crypto.randomUUID();
    const made = await Promise.all(
      [
        { a: 1, b: { c: 2, d: 3 } },
        { b: { d: 3, c: 2 }, a: 1 },
        { a: 1, b: { d: 3, c: 2 } },
      ].map((o) => create({ plan: INPUTS, plan_id, inputs: { o } })),
    );
    expect(made.map(({ plan_id: id }) => id)).toEqual([plan_id, plan_id, plan_id]);
    expect(made.filter(({ created }) => created).length).toBe(1);
    await stop(plan_id);
    const again = () =>
      create({ plan: INPUTS, plan_id: plan_id.toUpperCase(), inputs: { o: { b: { d: 3, c: 2 }, a: 1 } } });
    expect(await again()).toEqual({ plan_id, created: false });
    await world.service.nextRun(caller, plan_id, { mode: 'resume' });
    expect(await again()).toEqual({ plan_id, created: false });
    await stop(plan_id);
  });

  test.each<[string, Partial<CreateRequest>]>([
    ['inputs', { inputs: { o: { a: 2 } } }],
    ['review', { review: 'required' }],
    ['a start time', { start_at: '2999-01-01T00:00:00Z' }],
    ['labels', { plan: `${INPUTS}labels: { env: prod }\n` }],
    ['another plan file', { plan: INPUTS.replace('prompt: x', 'prompt: y') }],
  ])('with other %s is refused', async (_what, more) => {
    const plan_id = crypto.randomUUID();
    const first = { plan: INPUTS, plan_id, inputs: { o: { a: 1 } } };
    await create(first);
    const { start_at, ...rest } = more;
    const near = start_at ? { start_at: new Date(Date.now() + 86_400_000).toISOString() } : {};
    expect((await refused(create({ ...first, ...rest, ...near }))).code).toBe('PLAN_EXISTS');
    await stop(plan_id);
  });
});

describe('when it starts', () => {
  test('a start time that has passed is now', async () => {
    const { plan_id } = await create({ start_at: '2001-01-01T00:00:00Z' });
    await world.reaches(plan_id, 'awaiting_input');
    await stop(plan_id);
  });

  test('far ahead the plan stands by', async () => {
    const start_at = new Date(Date.now() + 50 * 365 * 86_400_000).toISOString();
    const { plan_id } = await create({ start_at });
    const { state } = await world.reaches(plan_id, 'stand_by');
    expect(state).toEqual({ status: 'stand_by', next_execution_at: start_at });
    await stop(plan_id);
  });

  test.each([
    ['tomorrow', /is not a time/],
    ['2026-02-31T00:00:00Z', /is not a time/],
    ['2026-02-01T00:00:00', /is not a time/],
    ['9999-01-01T00:00:00Z', /more than 100 years ahead/],
  ])('%s is refused', async (start_at, message) => {
    const fault = await refused(create({ start_at }));
    expect([fault.code, fault.message]).toEqual(['REQUEST_INVALID', expect.stringMatching(message)]);
  });
});

describe('labels', () => {
  test.each([
    [`{ ${Array.from({ length: 33 }, (_, i) => `l${i}: x`).join(', ')} }`, /at most 32/],
    [`{ a: ${'x'.repeat(200)} }`, /longer than 200/],
    ['{ "a=b": c }', /without "="/],
  ])('%s are refused', async (labels, message) => {
    const fault = await refused(create({ plan: GATE.replace('tasks:', `labels: ${labels}\ntasks:`) }));
    expect([fault.code, fault.message]).toEqual(['PLAN_INVALID', expect.stringMatching(message)]);
  });

  test('are search attributes in Temporal', async () => {
    const id = await world.create(GATE.replace('tasks:', 'labels: { team: core, env: prod }\ntasks:'));
    const { searchAttributes } = await world.handle(id).describe();
    expect(searchAttributes[SEARCH_ATTRIBUTES.labels.name]).toEqual(['team=core', 'env=prod']);
    await stop(id);
  });
});
