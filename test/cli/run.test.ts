import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, describe, expect, test } from 'vitest';
import { Fault } from '../../src/faults.ts';
import type { PlanEvent } from '../../src/plan/events.ts';
import type { PlanStatus } from '../../src/plan/lifecycle.ts';
import type { Totals } from '../../src/plan/state.ts';
import type { CreateRequest } from '../../src/service/create-plan.ts';
import type { PlanService } from '../../src/service/service.ts';
import { until } from '../support/world.ts';
import { type FakeWorld, fakeCli, view } from './fake-cli.ts';

const home = mkdtempSync(join(tmpdir(), 'holdpoint-run-'));
afterAll(() => rmSync(home, { recursive: true }));

const PLAN = 'plan: 1\nname: hello\ntasks: { a: { run: "echo hi" } }\n';
const TOTALS: Totals = {
  pending: 0,
  running: 0,
  waiting: 0,
  backing_off: 0,
  succeeded: 1,
  failed: 0,
  skipped: 0,
  cancelled: 0,
};

type Written = Omit<PlanEvent, 'seq'>;
const BEGINNING: Written[] = [
  { at: 1_000, type: 'PlanCreated', by: 'Ada' },
  { at: 1_000, type: 'TaskStarted', task: 'a', attempt: 1 },
];
const ended = (status: 'completed' | 'failed' | 'stopped', more: Partial<Written> = {}): Written[] => [
  { at: 3_500, type: 'PlanStateChanged', state: { status }, error: null, totals: TOTALS, ...more },
];

/** An engine in which one plan's events can be read, and more be written while somebody reads. */
function world(written: Written[], more: Partial<PlanService> = {}, rest: FakeWorld = {}) {
  const created: CreateRequest[] = [];
  const service: Partial<PlanService> = {
    async create(_, request) {
      created.push(request);
      return { plan_id: request.plan_id!, created: true };
    },
    events: async (_, __, after) => written.map((event, i) => ({ seq: i + 1, ...event })).slice(after),
    read: async () => view({ tasks: [] }),
    ...more,
  };
  const { env, ...others } = rest;
  const fake = fakeCli({ service, input: PLAN, directory: '/work', ...others, env: { ...env, HOLDPOINT_HOME: home } });
  return { ...fake, created, id: () => created[0]!.plan_id! };
}

describe('a plan is watched to its end', () => {
  test.each([
    ['completed', {}, 0, 'completed 1 task in 2.5s'],
    [
      'failed',
      { error: { task: 'a', code: 'TASK_FAILED', message: 'exit code 1: boom' } },
      1,
      'failed: task a: exit code 1: boom',
    ],
    ['stopped', {}, 8, 'stopped with 1 task done in 2.5s'],
  ] as const)('%s', async (status, more, exit, line) => {
    const { run, out, err, id, closed } = world([...BEGINNING, ...ended(status, more)]);
    expect(await run('run', '-')).toBe(exit);
    expect(out).toEqual([
      expect.stringMatching(/^Starting session: \d{4}-\d\d-\d\d-\d{4}-hello-[2-9a-z]{5}$/),
      `plan ${id()}  hello`,
      `  watch it: holdpoint watch ${id()}`,
      `  in Temporal: http://ui/namespaces/default/workflows/plan%2Flocal%2F${id()}`,
      '[0/1] a  started',
      line,
    ]);
    expect(
      err.some((text) => text.includes(`holdpoint run --resume ${out[0]!.slice('Starting session: '.length)}`)),
    ).toBe(status !== 'completed');
    expect(closed()).toBe(1);
  });
});

test('events that come later are told once each, in order', async () => {
  const written = [...BEGINNING];
  const { run, out } = world(written);
  const running = run('run', '-');
  await delay(200);
  written.push({ at: 2_000, type: 'TaskSucceeded', task: 'a', attempt: 1 });
  await delay(200);
  written.push(...ended('completed'));
  expect(await running).toBe(0);
  expect(out.slice(4)).toEqual(['[0/1] a  started', '[1/1] a  succeeded in 1s', 'completed 1 task in 2.5s']);
});

test('--json prints the events and a result, an object per line, and nothing else', async () => {
  const { run, out, err, id } = world([...BEGINNING, ...ended('completed')]);
  expect(await run('run', '-', '--json')).toBe(0);
  const lines = out.map((line) => JSON.parse(line));
  expect(lines.map(({ type }) => type)).toEqual([
    'session',
    'PlanCreated',
    'TaskStarted',
    'PlanStateChanged',
    'result',
  ]);
  expect(lines[1]).toEqual({ seq: 1, at: '1970-01-01T00:00:01.000Z', type: 'PlanCreated', by: 'Ada' });
  expect(lines[4]).toEqual({
    type: 'result',
    plan_id: id(),
    state: { status: 'completed' },
    error: null,
    totals: TOTALS,
  });
  expect(err).toEqual([]);
});

test('what was asked for is what is created: text, inputs, time, review, and the caller’s directory and environment', async () => {
  const plan = 'plan: 1\nname: hello\ninputs: { who: { type: string } }\ntasks: { a: { run: "true" } }\n';
  const { run, created } = world(ended('completed'), {}, { input: plan, env: { PATH: '/bin', SECRET: 'x' } });
  await run('run', '-', '--input', 'who=Ada', '--start-at', '2026-01-31T09:00:00Z', '--review', '--env', 'A=1');
  expect(created).toEqual([
    {
      plan_id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      plan,
      inputs: { who: 'Ada' },
      start_at: '2026-01-31T09:00:00Z',
      review: 'required',
      place: { directory: '/work', env: { PATH: '/bin' }, set: { A: '1' } },
      session: {
        format: 1,
        id: expect.stringMatching(/-hello-/),
        file_hash: expect.stringMatching(/^[0-9a-f]{64}$/),
        directory: '/work',
      },
    },
  ]);
});

test('an invalid plan is refused before any engine is started', async () => {
  const { run, connects } = world([], {}, { input: 'plan: 1\nname: x\n' });
  expect(await run('run', '-')).toBe(2);
  expect(connects).toEqual([]);
});

test('--detach prints the id alone and leaves', async () => {
  const { run, out, err, id } = world(BEGINNING);
  expect(await run('run', '-', '--detach')).toBe(0);
  expect({ out, err }).toEqual({ out: [id()], err: [] });
});

test.each([
  ['no worker answers', 'ENGINE_UNAVAILABLE'],
  // Another home's server may have taken the port of one that has ended.
  ['there is no such plan', 'PLAN_NOT_FOUND'],
] as const)(
  'an engine that goes away (%s) is found again: nothing is lost, repeated or told more than once',
  async (what, code) => {
    let failures = 3;
    const written = [...BEGINNING, ...ended('completed')];
    const all = written.map((event, i) => ({ seq: i + 1, ...event }));
    const { run, out, err, connects, closed } = world([], {
      async events(_, __, after) {
        if (after === 0) return all.slice(0, 2);
        if (failures-- > 0) throw new Fault(code, what);
        return all.slice(after);
      },
    });
    expect(await run('run', '-')).toBe(0);
    expect(out.slice(4)).toEqual(['[0/1] a  started', 'completed 1 task in 2.5s']);
    expect(err).toEqual([
      'the engine does not answer; what it has is kept, connecting again',
      'the engine is back; going on',
    ]);
    expect({ connects: connects.length, closed: closed() }).toEqual({ connects: 4, closed: 4 });
  },
);

test('a create whose answer is lost is asked again with the same id', async () => {
  const asked: (string | undefined)[] = [];
  const { run } = world(ended('completed'), {
    async create(_, { plan_id }) {
      asked.push(plan_id);
      if (asked.length === 1) throw new Fault('ENGINE_UNAVAILABLE', 'gone');
      return { plan_id: plan_id!, created: false };
    },
  });
  expect(await run('run', '-')).toBe(0);
  expect(asked).toHaveLength(2);
  expect(asked[0]).toBe(asked[1]);
});

test('when no engine can be had, that is told with exit code 6', async () => {
  const connect = async () => {
    throw new Fault('ENGINE_UNAVAILABLE', 'no Temporal server could be found');
  };
  const { run, err } = world([], {}, { engine: { connect } });
  expect(await run('run', '-')).toBe(6);
  expect(err).toEqual(['holdpoint: no Temporal server could be found']);
});

test('a plan that was ended from outside writes no more events, and is noticed all the same', {
  timeout: 20_000,
}, async () => {
  const error = { code: 'ENDED_OUTSIDE', message: 'terminated from outside (Temporal)' };
  const { run, out } = world(BEGINNING, { read: async () => view({ state: { status: 'stopped' }, error }) });
  expect(await run('run', '-')).toBe(8);
  expect(out.at(-1)).toBe('stopped: terminated from outside (Temporal)');
});

describe('Ctrl+C', () => {
  /** A plan that a pause holds as soon as it is asked for. */
  function interruptible(state: () => PlanStatus) {
    const commands: unknown[] = [];
    return {
      commands,
      service: {
        async command(_: unknown, __: string, name: string, { interrupt }: { interrupt?: true } = {}) {
          commands.push([name, interrupt]);
          return { request_id: 'r', result: 'accepted' };
        },
        session: async () => ({ state: state(), position: { step: 2, steps: 3, iteration: 1, iterations: 5 } }),
      } as unknown as Partial<PlanService>,
    };
  }

  test('ends what runs, and says how to go on from there', async () => {
    let looks = 0;
    const { commands, service } = interruptible(() => (looks++ < 2 ? 'executing' : 'paused'));
    const { run, err, out, ctrlC } = world([...BEGINNING], service);
    const running = run('run', '-');
    await delay(200);
    ctrlC();
    expect(await running).toBe(130);
    expect(commands).toEqual([['pause', true]]);
    expect(err).toEqual([
      '\ninterrupting: what runs is being ended; Ctrl+C again leaves at once',
      `Session interrupted. Resume with: holdpoint run --resume ${out[0]!.slice('Starting session: '.length)}`,
      '  it goes on from step 2 of 3, iteration 1 of 5',
    ]);
  });

  test('while the plan is being made waits until it is there, and ends it then', async () => {
    const { commands, service } = interruptible(() => 'paused');
    let asked = false;
    const made = new AbortController();
    const { run, err, ctrlC } = world([...BEGINNING], {
      ...service,
      async create(_, { plan_id }) {
        asked = true;
        await once(made.signal, 'abort');
        return { plan_id: plan_id!, created: true };
      },
    });
    const running = run('run', '-');
    await until('it is asked for', () => asked);
    ctrlC();
    await delay(50);
    expect(commands).toEqual([]);
    made.abort();
    expect(await running).toBe(130);
    expect(commands).toEqual([['pause', true]]);
    expect(err[1]).toMatch(/^Session interrupted\. Resume with: /);
  });

  test('that keeps the plan from being made says that no plan was started, whatever it was made of', async () => {
    const { run, err, ctrlC } = world([...BEGINNING], {
      async create() {
        ctrlC();
        await delay(50);
        throw new Fault('REQUEST_INVALID', 'worktree: Git was ended');
      },
      async command() {
        throw new Fault('PLAN_NOT_FOUND', 'there is no plan');
      },
    });
    expect(await run('run', '-')).toBe(130);
    expect(err.slice(1)).toEqual(['interrupted; no plan was started']);
  });

  test.each([
    ['SIGTERM', 143],
    ['SIGHUP', 129],
  ])('%s does the same, and exits as shells say', async (signal, code) => {
    const { service } = interruptible(() => 'paused');
    const { run, ctrlC } = world([...BEGINNING], service);
    const running = run('run', '-', '--json');
    await delay(200);
    ctrlC(signal);
    expect(await running).toBe(code);
  });

  test('with --leave-running leaves it to the engine', async () => {
    const { commands, service } = interruptible(() => 'executing');
    const { run, err, ctrlC } = world([...BEGINNING], service);
    const running = run('run', '-', '--leave-running');
    await delay(200);
    ctrlC();
    expect(await running).toBe(130);
    expect(commands).toEqual([]);
    expect(err[0]).toMatch(/^\nSession \S+ goes on in the engine\.$/);
  });

  test('while the engine starts says that no plan was started', async () => {
    const { run, err, ctrlC, created } = world([], {}, { engine: { connect: () => new Promise(() => {}) } });
    const running = run('run', '-');
    await delay(50);
    ctrlC();
    expect(await running).toBe(130);
    expect({ err, created }).toEqual({ err: ['interrupted; no plan was started'], created: [] });
  });
});

describe('what contradicts itself is refused before anything is started', () => {
  test.each([
    [['run'], 'name the plan file to run; see holdpoint run --help'],
    [['run', 'a.yaml', '--resume', 'x', '--resume-last'], 'give --resume or --resume-last, not both'],
    [
      ['run', 'a.yaml', '--resume', 'x', '--input', 'a=1'],
      '--input: a session that is resumed goes on with what it was started with; leave it out',
    ],
    [['run', '-', '--env', 'A'], '--env "A": write NAME=VALUE'],
    [['run', '-', '--env', 'a-b=1'], '--env "a-b=1": a variable is named with letters, digits and "_"'],
  ])('%s', async (args, message) => {
    const { run, err, connects } = world([]);
    expect(await run(...args)).toBe(2);
    expect({ err, connects }).toEqual({ err: [`holdpoint: ${message}`], connects: [] });
  });
});
