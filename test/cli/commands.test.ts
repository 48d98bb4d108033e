import { describe, expect, test } from 'vitest';
import { Fault } from '../../src/faults.ts';
import type { CommandAnswer } from '../../src/service/control-plan.ts';
import type { ListRequest, PlanList } from '../../src/service/list-plans.ts';
import { fakeCli, ID, summary, view } from './fake-cli.ts';

const OTHER = '3f2b9c1e-0000-4000-8000-000000000002';

/** A service that takes any command and answers as told. */
function takes(answer: Partial<CommandAnswer> = {}, status: 'paused' | 'failed' | 'stopped' | 'executing' = 'paused') {
  const calls: unknown[] = [];
  const fake = fakeCli({
    service: {
      async command(caller, id, name, request) {
        calls.push([caller.trigger, id, name, JSON.parse(JSON.stringify(request ?? {}))]);
        return { request_id: 'r1', result: 'done', ...answer };
      },
      async nextRun(caller, plan_id, { mode }) {
        calls.push([caller.trigger, plan_id, mode]);
        return { plan_id, mode, resume_count: 1 };
      },
      read: async () => view({ state: { status } }),
    },
  });
  return { ...fake, calls };
}

describe('a command becomes one call of the service, and one line', () => {
  test.each([
    [['pause', ID], ['cli pause', ID, 'pause', {}], 'paused'],
    [['pause', ID, '--strict'], ['cli pause', ID, 'pause', { strict: true }], 'paused'],
    [['stop', ID], ['cli stop', ID, 'stop', {}], 'stopped'],
    [['resume', ID], ['cli resume', ID, 'resume', {}], 'resumed'],
    [
      ['resume', ID, '--max-tokens', '200000', '--max-cost', 'none'],
      ['cli resume', ID, 'resume', { budget: { max_tokens: 200_000, max_cost: null } }],
      'resumed',
    ],
    [['approve', ID], ['cli approve', ID, 'approve', {}], 'approved'],
    [
      ['approve', ID, 'ship_it', '--comment', 'fine'],
      ['cli approve', ID, 'approve', { question: 'ship_it', comment: 'fine' }],
      'approved',
    ],
    [
      ['answer', ID, 'ask.1', 'ship'],
      ['cli answer', ID, 'answer', { question: 'ask.1', choice: 'ship' }],
      'ask.1 answered with ship',
    ],
    [
      ['answer', ID, 'form', 'a=1', 'b=2', '--comment', 'so'],
      ['cli answer', ID, 'answer', { question: 'form', values: { a: '1', b: '2' }, comment: 'so' }],
      'form answered with a=1 b=2',
    ],
    [
      ['hold', ID, 'deploy', '--comment', 'Monday'],
      ['cli hold', ID, 'hold', { task: 'deploy', comment: 'Monday' }],
      'deploy is held',
    ],
    [['release', ID, 'deploy'], ['cli release', ID, 'release', { task: 'deploy' }], 'deploy is released'],
  ])('%j', async (args, call, said) => {
    const { run, out, err, calls, connects, closed } = takes();
    expect(await run(...args)).toBe(0);
    expect(calls).toEqual([call]);
    expect({ out, err }).toEqual({ out: [`plan ${ID}: ${said}`], err: [] });
    expect({ connects, closed: closed() }).toEqual({ connects: [{ start: true }], closed: 1 });
  });
});

test('a pause that waits for running tasks, and a command nobody has taken yet, say so', async () => {
  const draining = takes({ result: 'accepted' });
  await draining.run('pause', ID);
  expect(draining.out).toEqual([`plan ${ID}: pausing; what runs ends first`]);
  const unanswered = takes({ result: 'pending' });
  await unanswered.run('stop', ID);
  expect(unanswered.out).toEqual([`plan ${ID}: the command is kept (r1), but no worker has answered yet`]);
});

test('--json gives the outcome, with the record of an answer and its time as text', async () => {
  const { run, out } = takes({ record: { choice: 'ship', by: 'Ada', at: 0 } });
  await run('answer', ID, 'ask.1', 'ship', '--json');
  expect(JSON.parse(out.join('\n'))).toEqual({
    plan_id: ID,
    command: 'answer',
    request_id: 'r1',
    result: 'done',
    record: { choice: 'ship', by: 'Ada', at: '1970-01-01T00:00:00.000Z' },
  });
});

describe('the next run', () => {
  const preview = { plan_id: ID, dry_run: true as const, reuse: ['a'], run: ['b'], reasons: { a: 'kept', b: 'new' } };
  const answering = (answer: object, status: 'failed' | 'paused' = 'failed') => {
    const calls: unknown[] = [];
    const nextRun = async (_: unknown, id: string, request: object) => {
      calls.push([id, JSON.parse(JSON.stringify(request))]);
      return answer as { plan_id: string; mode: 'resume'; resume_count: number };
    };
    const service = { nextRun, read: async () => view({ state: { status } }) };
    return { calls, ...fakeCli({ service, input: 'plan: 1' }) };
  };

  test('is told first as a table, and by an edited file', async () => {
    const { run, out, calls } = answering(preview);
    expect(await run('resume', ID, '--plan', '-', '--input', 'n=2', '--from', 'b', '--dry-run')).toBe(0);
    expect(calls).toEqual([[ID, { mode: 'resume', plan: 'plan: 1', inputs: { n: '2' }, from: 'b', dry_run: true }]]);
    expect(out).toEqual([
      `plan ${ID}: 1 task would run, 1 would be reused; nothing was started`,
      'TASK  NEXT RUN  WHY',
      'b     runs      new',
      'a     reused    kept',
    ]);
  });

  test('is told first as JSON', async () => {
    const { run, out } = answering(preview);
    expect(await run('resume', ID, '--dry-run', '--json')).toBe(0);
    expect(JSON.parse(out.join(''))).toEqual(preview);
  });

  test('of a retry by other models', async () => {
    const { run, calls } = answering({ plan_id: ID, mode: 'retry' });
    expect(await run('retry', ID, '--model-profile', 'premium')).toBe(0);
    expect(calls).toEqual([[ID, { mode: 'retry', model_profile: 'premium' }]]);
  });

  test('is not what a paused plan has', async () => {
    const { run, err, calls } = answering(preview, 'paused');
    expect(await run('resume', ID, '--from', 'b')).toBe(5);
    expect(err.join('\n')).toMatch(/the plan is paused: --from, --plan, --input and --dry-run are about the next run/);
    expect(calls).toEqual([]);
  });

  test('tells the problems of an edited file with its place', async () => {
    const errors = [{ message: 'unknown word', path: ['x'], line: 3, column: 1 }];
    const { run, err } = fakeCli({
      service: {
        nextRun: () => Promise.reject(new Fault('PLAN_INVALID', 'x', { errors })),
        read: async () => view({ state: { status: 'failed' } }),
      },
    });
    expect(await run('resume', ID, '--plan', '-')).toBe(2);
    expect(err.join('\n')).toContain('<stdin>:3:1: unknown word');
  });
});

test.each(['failed', 'stopped'] as const)('resume of a %s plan starts its next run', async (status) => {
  const { run, out, err, calls } = takes({}, status);
  expect(await run('resume', ID)).toBe(0);
  expect(calls).toEqual([['cli resume', ID, 'resume']]);
  expect(out).toEqual([`plan ${ID}: its next run has begun; finished work is kept`]);
  expect(err).toEqual([`watch it: holdpoint watch ${ID}`]);
});

test('retry starts the next run from nothing', async () => {
  const { run, out, calls } = takes();
  await run('retry', ID, '--json');
  expect(calls).toEqual([['cli retry', ID, 'retry']]);
  expect(JSON.parse(out.join(''))).toEqual({ plan_id: ID, command: 'retry', result: 'started', mode: 'retry' });
});

test('a refusal is told, the connection closed, and the exit code that of its fault', async () => {
  const command = async () => {
    throw new Fault('PLAN_INVALID_STATE', 'cannot pause a plan that is completed');
  };
  const { run, out, err, closed } = fakeCli({ service: { command } });
  expect(await run('pause', ID)).toBe(5);
  expect({ out, err, closed: closed() }).toEqual({
    out: [],
    err: ['holdpoint: cannot pause a plan that is completed'],
    closed: 1,
  });
});

describe('ls', () => {
  const list = async () => ({ plans: [summary(ID)], next_cursor: 'more' });

  test('passes its filters on and prints ids whole', async () => {
    const asked: unknown[] = [];
    const listing = (_: unknown, request: unknown) => {
      asked.push(request);
      return list();
    };
    const { run, out, err } = fakeCli({ service: { list: listing } });
    expect(await run('ls', '--state', 'executing', '--name', 'release', '--limit', '5')).toBe(0);
    expect(asked).toEqual([{ state: 'executing', name: 'release', limit: 5 }]);
    expect(out[1]).toContain(`${ID}  release  executing`);
    expect(err).toEqual(['there are more; go on with --cursor more, or show all with --all']);
  });

  test('its filters are those of the service', async () => {
    const asked: unknown[] = [];
    const { run } = fakeCli({
      service: {
        list: async (_caller, request) => {
          asked.push(request);
          return { plans: [], next_cursor: null };
        },
      },
    });
    const filters = '--attention --mine --name-prefix rel --label team=core --label env=prod --enrollment k --cursor c';
    expect(await run('ls', ...filters.split(' '), '--created-after', '2026-01-31T09:00:00Z')).toBe(0);
    expect(asked).toEqual([
      {
        needs_attention: true,
        mine: true,
        name_prefix: 'rel',
        labels: ['team=core', 'env=prod'],
        enrollment: 'k',
        cursor: 'c',
        created_after: '2026-01-31T09:00:00Z',
      },
    ]);
  });

  test('--all goes on to the last page, and lists each plan once; without it the way on is told', async () => {
    const pages: Record<string, PlanList> = {
      '': { plans: [summary(ID)], next_cursor: 'second' },
      second: { plans: [summary(ID), summary(OTHER)], next_cursor: null },
    };
    const service = { list: async (_: unknown, request: ListRequest = {}) => pages[request.cursor ?? '']! };
    const all = fakeCli({ service });
    await all.run('ls', '--all', '--json');
    expect(JSON.parse(all.out[0]!)).toEqual({ plans: [summary(ID), summary(OTHER)], next_cursor: null });
    const one = fakeCli({ service });
    await one.run('ls');
    expect(one.err).toEqual(['there are more; go on with --cursor second, or show all with --all']);
    expect(await fakeCli({ service }).run('ls', '--all', '--limit', '3')).toBe(2);
  });

  test('--json is the list as the service gives it, and nothing else', async () => {
    const { run, out, err } = fakeCli({ service: { list } });
    await run('ls', '--json');
    expect(JSON.parse(out.join('\n'))).toEqual(await list());
    expect(err).toEqual([]);
  });

  test('without plans stdout stays empty', async () => {
    const { run, out, err } = fakeCli({ service: { list: async () => ({ plans: [], next_cursor: null }) } });
    await run('ls');
    expect({ out, err }).toEqual({ out: [], err: ['no plans'] });
  });
});

test('show finds the plan by the beginning of its id; --json is the view', async () => {
  const { run, out } = fakeCli({
    service: { list: async () => ({ plans: [summary(ID)], next_cursor: null }), read: async () => view() },
  });
  expect(await run('show', '3f2b9c', '--json')).toBe(0);
  expect(JSON.parse(out.join('\n'))).toEqual(view());
});

describe('server', () => {
  test('status exits 6 when no engine runs, and starts none', async () => {
    const { run, out, connects } = fakeCli();
    expect(await run('server', 'status')).toBe(6);
    expect({ out, connects }).toEqual({
      out: ['no engine runs for /home; start one with: holdpoint up'],
      connects: [],
    });
  });

  test('status exits 0 when one runs; --json is its status', async () => {
    const { run, out } = fakeCli({ status: { running: true, ready: true, pid: 7, mode: 'detached' } });
    expect(await run('server', 'status', '--json')).toBe(0);
    expect(JSON.parse(out.join('\n'))).toMatchObject({ running: true, pid: 7 });
  });

  test.each([true, false])('stop says whether one ran: %s', async (stopped) => {
    const { run, out } = fakeCli({ engine: { stop: async () => stopped } });
    expect(await run('server', 'stop', '--json')).toBe(0);
    expect(JSON.parse(out.join('\n'))).toEqual({ stopped });
  });
});

test.each([
  [['up'], 'foreground'],
  [['up', '--detached'], 'detached'],
])('%j is the engine in the %s, and exits as it does', async (args, mode) => {
  const modes: string[] = [];
  const { run } = fakeCli({ engine: { run: async (how) => modes.push(how) && 7 } });
  expect(await run(...args)).toBe(7);
  expect(modes).toEqual([mode]);
});
