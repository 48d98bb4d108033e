import { describe, expect, test } from 'vitest';
import { attemptsOf } from '../../src/service/attempts.ts';
import type { ReadPlan } from '../../src/service/read-plan.ts';
import { type Reason, whyPlan, whyTask } from '../../src/service/why.ts';
import { AT, view } from '../cli/fake-cli.ts';

const NOW = Date.parse(AT) + 65_000;
const after = (ms: number) => new Date(Date.parse(AT) + ms).toISOString();
type Task = ReadPlan['tasks'][number];
const task = (id: string, more: Partial<Task> = {}): Task => ({
  id,
  kind: 'run',
  status: 'pending',
  attempt: 0,
  max_attempts: 1,
  needs: [],
  ...more,
});
const running = { status: 'running', attempt: 1, started_at: AT } as const;
const question = {
  id: 'ok.1',
  task: 'ok',
  kind: 'approve',
  prompt: 'Ship?',
  options: ['ship', 'no'],
  opened_at: AT,
  expires_at: null,
};
const asks = { what: 'question', task: 'ok', since: AT, text: 'question ok.1' } as const;
const paused = { what: 'resume', since: AT, by: 'Ada', text: 'resume' } as const;
const told = (reasons: Reason[] | undefined) => reasons?.map(({ what, text }) => `${what}: ${text}`);
const NEXT_RUN = [{ command: 'resume' }, { command: 'retry' }];

describe('why a plan is where it is', () => {
  test.each<[string, Partial<ReadPlan>, string[], object[]]>([
    [
      'it is reviewed',
      { waiting_for: [{ what: 'review', since: AT, text: '' }] },
      ['review: the plan has waited 1m5s for review'],
      [{ command: 'approve' }],
    ],
    [
      'it is paused',
      { state: { status: 'paused' }, waiting_for: [paused] },
      ['resume: Ada has paused it, 1m5s ago'],
      [{ command: 'resume' }],
    ],
    [
      'it is pausing',
      { pausing: true, waiting_for: [paused], current_tasks: ['build'], tasks: [task('build', running)] },
      ['pausing: Ada has paused it; what runs ends first: build', 'running: build (run) runs for 1m5s'],
      [{ command: 'resume' }],
    ],
    ['it is being stopped', { stopping: true }, ['stopping: it is being stopped; what runs is being ended'], []],
    [
      'it asks',
      { waiting_for: [asks], questions: [question] },
      ['question: ok has waited 1m5s for an answer: Ship?'],
      [{ command: 'answer', question: 'ok.1', options: ['ship', 'no'] }],
    ],
    [
      'a task is held',
      { waiting_for: [{ what: 'release', task: 'x', by: 'Ada', since: AT, text: '' }] },
      ['release: x is held by Ada, for 1m5s'],
      [{ command: 'release', task: 'x' }],
    ],
    [
      'time passes',
      { waiting_for: [{ what: 'wait', task: 'x', until: after(70_000), text: '' }] },
      ['wait: x lets time pass, for 5s more'],
      [],
    ],
    [
      'a task is tried again',
      { waiting_for: [{ what: 'back_off', task: 'x', until: after(70_000), text: '' }] },
      ['back_off: x has failed and is tried again in 5s'],
      [],
    ],
    [
      'it starts later',
      { waiting_for: [{ what: 'start_time', until: after(70_000), text: '' }] },
      ['start_time: its start time comes in 5s'],
      [],
    ],
    [
      'all slots are taken',
      { waiting_for: [{ what: 'slot', text: 'a slot for 3 tasks' }] },
      ['slot: it waits for a slot for 3 tasks'],
      [],
    ],
    [
      'it is in line in its group',
      {
        waiting_for: [
          { what: 'group', since: AT, text: 'a slot of group g, of which 1 may run at once, next in line' },
        ],
      },
      ['group: it waits for a slot of group g, of which 1 may run at once, next in line'],
      [],
    ],
    [
      'no worker has a task',
      { tasks: [task('x', { ...running, queued: true })] },
      ['queued: x waits: no worker has taken it yet'],
      [],
    ],
    [
      'a command says nothing',
      { tasks: [task('x', { ...running, attempt: 2, max_attempts: 3, silent_ms: 360_000 })] },
      ['running: x (run) runs for 1m5s, attempt 2 of 3, no output for 6m'],
      [],
    ],
    [
      'nobody answers',
      { freshness: { live: false, at: AT, message: 'no worker is polling; last known state' } },
      ['no_worker: no worker is polling; last known state'],
      [],
    ],
    [
      'it has failed',
      {
        state: { status: 'failed' },
        error: { task: 'a', code: 'TASK_FAILED', message: 'exit code 1' },
        tasks: [
          task('a', { status: 'failed' }),
          task('b', { status: 'cancelled', reason: 'task a failed' }),
          task('c', { status: 'cancelled', reason: 'task a failed' }),
        ],
      },
      ['failed: task a failed: exit code 1', 'cancelled: cancelled: b, c, because task a failed'],
      NEXT_RUN,
    ],
    [
      'it was stopped',
      { state: { status: 'stopped' }, tasks: [task('b', { status: 'cancelled', reason: 'stopped by Ada' })] },
      ['stopped: stopped by Ada', 'cancelled: cancelled: b, because stopped by Ada'],
      NEXT_RUN,
    ],
    [
      'it was ended from outside',
      {
        state: { status: 'stopped' },
        error: { code: 'ENDED_OUTSIDE', message: 'terminated from outside (Temporal)' },
        freshness: { live: false, at: AT },
      },
      ['stopped: terminated from outside (Temporal)'],
      NEXT_RUN,
    ],
    [
      'it has completed, although a task failed',
      {
        state: { status: 'completed' },
        tasks: [task('lint', { status: 'failed', error: { code: 'TASK_FAILED', message: 'exit code 1' } })],
      },
      ['completed: it has completed', 'failed: lint failed, and was not needed: exit code 1'],
      [],
    ],
    ['it has completed', { state: { status: 'completed' } }, ['completed: it has completed'], []],
  ])('%s', (_, more, reasons, ways) => {
    const found = whyPlan(view(more), NOW);
    expect(told(found)).toEqual(reasons);
    expect(found[0]!.ways).toEqual(ways);
  });
});

describe('why a task is where it is', () => {
  const chain = {
    questions: [question],
    waiting_for: [asks],
    tasks: [
      task('ok', { status: 'waiting', kind: 'approve' }),
      task('build', running),
      task('deploy', { needs: ['ok', 'build'] }),
      task('report', { needs: ['deploy'] }),
    ],
  };
  test('what it waits for is followed to where somebody can do something', () => {
    expect(told(whyTask(view(chain), 'report', NOW))).toEqual([
      'needs: report comes after deploy',
      'running: build (run) runs for 1m5s',
      'question: ok has waited 1m5s for an answer: Ship?',
    ]);
  });
  test.each<[string, Partial<ReadPlan>, string[]]>([
    [
      'held',
      {
        waiting_for: [{ what: 'release', task: 'x', by: 'Ada', since: AT, text: '' }],
        tasks: [task('x', { hold: { by: 'Ada', since: AT } })],
      },
      ['release: x is held by Ada, for 1m5s'],
    ],
    [
      'ready in a plan that is paused',
      { waiting_for: [paused], tasks: [task('x')] },
      ['resume: Ada has paused it, 1m5s ago'],
    ],
    ['ready', { tasks: [task('x')] }, ['turn: x starts at any moment']],
    [
      'a handler',
      { tasks: [task('x', { handler: 'finally' })] },
      ["handler: x begins when the plan's own tasks have ended (finally)"],
    ],
    [
      'backing off',
      {
        waiting_for: [{ what: 'back_off', task: 'x', until: after(70_000), text: '' }],
        tasks: [task('x', { status: 'backing_off', error: { code: 'TASK_FAILED', message: 'exit code 7' } })],
      },
      ['back_off: x has failed and is tried again in 5s', 'failed: its last attempt failed: exit code 7'],
    ],
    [
      'failed',
      { tasks: [task('x', { status: 'failed', error: { code: 'TASK_FAILED', message: 'exit code 7' } })] },
      ['failed: x failed: exit code 7'],
    ],
    [
      'skipped',
      { tasks: [task('x', { status: 'skipped', reason: 'its condition is false: a == 1' })] },
      ['skipped: skipped: x, because its condition is false: a == 1'],
    ],
    [
      'kept',
      { tasks: [task('x', { status: 'succeeded', reused: true })] },
      ['succeeded: x has succeeded in an earlier run, and was kept'],
    ],
    [
      'answered',
      { tasks: [task('x', { status: 'succeeded', answer: { by: 'Bob', at: AT } })] },
      ['succeeded: x was answered by Bob'],
    ],
    [
      'at work, with a question inside it',
      { ...chain, waiting_for: [{ ...asks, task: 'x/ok' }], tasks: [task('x', { ...running, kind: 'plan' })] },
      ['running: x (plan) runs for 1m5s', 'question: x/ok has waited 1m5s for an answer'],
    ],
  ])('%s', (_, more, reasons) => expect(told(whyTask(view(more), 'x', NOW))).toEqual(reasons));

  test('a task that is not there has no reasons', () => expect(whyTask(view(), 'x', NOW)).toBeUndefined());
});

test('the attempts of a task are those of the last run, each with how it ended', () => {
  const events = [
    { at: 0, type: 'TaskStarted', task: 'a', attempt: 1 },
    { at: 1, type: 'TaskFailed', task: 'a', message: 'old' },
    { at: 2, type: 'RunStarted' },
    { at: 3, type: 'TaskStarted', task: 'a', attempt: 1 },
    { at: 4, type: 'TaskStarted', task: 'b', attempt: 1 },
    { at: 5, type: 'TaskRetried', task: 'a', attempt: 1, message: 'exit code 7' },
    { at: 6, type: 'TaskStarted', task: 'a', attempt: 2 },
  ] as const;
  expect(
    attemptsOf(
      events.map((event, seq) => ({ seq, ...event })),
      'a',
    ),
  ).toEqual([
    {
      attempt: 1,
      started_at: new Date(3).toISOString(),
      ended_at: new Date(5).toISOString(),
      how: 'failed',
      message: 'exit code 7',
    },
    { attempt: 2, started_at: new Date(6).toISOString() },
  ]);
});
