import { expect, test } from 'vitest';
import type { PlanEvent } from '../../src/plan/events.ts';
import type { ReadPlan } from '../../src/service/read-plan.ts';
import { AT, fakeCli, ID, summary, view } from './fake-cli.ts';

const TOTALS = {
  pending: 0,
  running: 0,
  waiting: 0,
  backing_off: 0,
  succeeded: 2,
  failed: 0,
  skipped: 0,
  cancelled: 0,
};
const task = (id: string, more: Partial<ReadPlan['tasks'][number]> = {}) => ({
  id,
  kind: 'run',
  status: 'succeeded' as const,
  attempt: 1,
  max_attempts: 1,
  needs: [],
  ...more,
});

/** A plan that failed in its first run, and whose second has ended so. */
function secondRun(status: 'completed' | 'failed' | 'stopped', more: Partial<ReadPlan> = {}) {
  const error = status === 'failed' ? { task: 'b', code: 'TASK_FAILED', message: 'exit code 1' } : null;
  const written: Omit<PlanEvent, 'seq'>[] = [
    { at: 0, type: 'PlanCreated', by: 'Ada' },
    { at: 0, type: 'TaskStarted', task: 'a', attempt: 1 },
    { at: 1_000, type: 'TaskSucceeded', task: 'a', attempt: 1 },
    { at: 1_000, type: 'PlanStateChanged', state: { status: 'failed' }, error: null, totals: TOTALS },
    { at: 9_000, type: 'RunStarted', by: 'Bob' },
    { at: 9_000, type: 'TaskReused', task: 'a' },
    { at: 9_000, type: 'TaskStarted', task: 'b', attempt: 1 },
    { at: 9_500, type: 'QuestionOpened', task: 'b', question: 'b.1', message: 'Go?' },
    { at: 10_000, type: 'TaskStarted', task: 'b/inner', attempt: 1 },
    { at: 10_500, type: 'TaskSucceeded', task: 'b/inner', attempt: 1 },
    { at: 11_000, type: 'TaskSucceeded', task: 'b', attempt: 1 },
    { at: 11_000, type: 'PlanStateChanged', state: { status }, error, totals: TOTALS },
  ];
  const events = written.map((event, i) => ({ seq: i + 1, ...event }));
  return fakeCli({
    service: {
      list: async () => ({ plans: [summary(ID)], next_cursor: null }),
      read: async () =>
        view({ state: { status }, run: 2, tasks: [task('a'), task('b', { needs: ['a'] }), task('b/inner')], ...more }),
      events: async (_, __, after) => events.slice(after),
    },
  });
}

test.each([
  ['completed', 0, 'completed 2 tasks in 2s'],
  ['failed', 1, 'failed: task b: exit code 1'],
  ['stopped', 8, 'stopped with 2 tasks done in 2s'],
] as const)('the last run of a plan that has ended (%s) is told, with its exit code', async (status, code, line) => {
  const { run, out, closed } = secondRun(status);
  expect(await run('watch', '3f2b9c')).toBe(code);
  expect(out.slice(3)).toEqual([
    '[0/2] next run started by Bob',
    '[1/2] a  reused',
    '[1/2] b  started',
    '[1/2] b  asks: Go?',
    '[1/2] b/inner  started',
    '[1/2] b/inner  succeeded in 500ms',
    '[2/2] b  succeeded in 2s',
    line,
  ]);
  expect(closed()).toBe(1);
});

test('--json tells events, open questions with how to answer them, and the result', async () => {
  const question = {
    id: 'b.1',
    task: 'b',
    kind: 'approve',
    prompt: 'Go?',
    options: ['go', 'no'],
    opened_at: AT,
    expires_at: null,
  };
  const { run, out } = secondRun('completed', { questions: [question] });
  expect(await run('watch', ID, '--json')).toBe(0);
  const lines = out.map((line) => JSON.parse(line));
  expect(lines.map(({ type }) => type).slice(0, 5)).toEqual([
    'RunStarted',
    'TaskReused',
    'TaskStarted',
    'QuestionOpened',
    'question',
  ]);
  expect(lines[4]).toEqual({
    type: 'question',
    plan_id: ID,
    question,
    answer: [`holdpoint answer ${ID} b.1 go`, `holdpoint answer ${ID} b.1 no`],
  });
  expect(lines.at(-1)).toMatchObject({ type: 'result', state: { status: 'completed' } });
});

test('a plan that was ended from outside is told so at once', async () => {
  const error = { code: 'ENDED_OUTSIDE', message: 'terminated from outside (Temporal)' };
  const { run, out } = fakeCli({
    service: {
      read: async () => view({ state: { status: 'stopped' }, error }),
      events: async (_, __, after) => [{ seq: 1, at: 0, type: 'PlanCreated' as const }].slice(after),
    },
  });
  expect(await run('watch', ID)).toBe(8);
  expect(out.at(-1)).toBe('stopped: terminated from outside (Temporal)');
});
