import pc from 'picocolors';
import stringWidth from 'string-width';
import { describe, expect, test } from 'vitest';
import { planRows } from '../../../src/cli/live/rows.ts';
import { signsFor } from '../../../src/cli/live/signs.ts';
import type { ReadPlan } from '../../../src/service/read-plan.ts';
import { AT, view } from '../fake-cli.ts';

const NOW = Date.parse(AT) + 90_000;
const colours = pc.createColors(false);
const rows = (more: Partial<ReadPlan>, height = 20, columns = 79) =>
  planRows(view(more), height, { columns, now: NOW, colours, signs: signsFor({ TERM: 'linux' }) });

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
const after = (ms: number) => new Date(Date.parse(AT) + ms).toISOString();
const running = { status: 'running', attempt: 1, started_at: after(60_000) } as const;
const question = { id: 'ask.1', task: 'ask', kind: 'approve', prompt: 'Ship?', options: ['ship'], expires_at: null };

test('what runs comes first, then what waits, what failed, and what comes next', () => {
  const shown = rows({
    progress: { done: 1, total: 8, percentage: 12 },
    questions: [{ ...question, opened_at: after(30_000) }],
    tasks: [
      task('last', { needs: ['build'] }),
      task('prepare', { status: 'succeeded' }),
      task('flaky', {
        status: 'backing_off',
        attempt: 2,
        max_attempts: 4,
        started_at: AT,
        due_at: after(98_500),
        error: { code: 'TASK_FAILED', message: 'exit code 7: no network' },
      }),
      task('ask', { kind: 'approve', status: 'waiting', attempt: 1 }),
      task('old', { status: 'failed', error: { code: 'TASK_FAILED', message: 'exit code 1' } }),
      task('build', { ...running, attempt: 2, max_attempts: 3 }),
      task('held', { hold: { since: after(80_000), by: 'Ada', comment: 'Monday' } }),
      task('each', { ...running, kind: 'map', items: { total: 200, succeeded: 90, failed: 10, skipped: 0 } }),
      task('sub', { ...running, kind: 'plan' }),
      task('sub/first', { ...running, queued: true }),
    ],
  });
  expect(shown).toEqual([
    'release  executing',
    '###--------------------- 1/8 done, 1m30s',
    '| build   running        30s  attempt 2 of 3',
    '| each    running        30s  #####----- 100/200, 10 failed, about 30s left',
    '| sub     running        30s',
    '|   first running        30s  no worker has taken it yet',
    '@ flaky   backing off  1m30s  retry in 9s, attempt 2 of 4 failed: exit code 7:…',
    '? ask     waiting         1m  Ship?',
    '= held    pending        10s  held by Ada: Monday',
    'x old     failed              exit code 1',
    '. last    pending             after build',
  ]);
});

test.each([
  [79, '| iterate running        30s  Processing input 3/9: a name that is…, step 2/3'],
  [119, '| iterate running        30s  Processing input 3/9: a name that is far too long to…, step 2/3: build'],
])('an iteration at work: which input and which step, in %d columns', (columns, row) => {
  const iteration = {
    input: 3,
    of: 9,
    name: 'a name that is far too long to be shown whole',
    step: 2,
    steps: 3,
    task: 'build',
  };
  const items = { total: 20, succeeded: 8, failed: 0, skipped: 0 };
  const shown = rows(
    {
      progress: { done: 0, total: 1, percentage: 0 },
      tasks: [task('iterate', { ...running, kind: 'map', items, iteration })],
    },
    20,
    columns,
  );
  expect(shown).toEqual([
    'release  executing',
    expect.stringContaining('- 8/20 inputs done, 1m30s, about 45s left'),
    row,
  ]);
});

describe('the state is said in words', () => {
  const paused = { what: 'resume', by: 'Ada', since: AT, text: '' } as const;
  test.each<[string, Partial<ReadPlan>, RegExp]>([
    ['paused', { state: { status: 'paused' }, waiting_for: [paused] }, /paused by Ada since \d{4}-/],
    ['pausing', { pausing: true, waiting_for: [paused] }, /pausing, asked by Ada: what runs ends first$/],
    ['stopping', { stopping: true }, /being stopped: what runs is ended$/],
    ['review', { state: { status: 'pending_review' } }, /waits for review$/],
    ['time', { state: { status: 'stand_by', next_execution_at: after(100_000) } }, /waits for time: 10s left, until /],
    ['answers', { state: { status: 'awaiting_input' } }, /waits for 1 answer$/],
  ])('%s', (_, more, words) => expect(rows(more)[0]).toMatch(words));

  test('that nobody answers for the plan', () => {
    const freshness = { live: false, at: AT, message: 'no worker is polling; last known state' };
    expect(rows({ freshness })[1]).toBe('no worker is polling; last known state');
  });
});

describe('any window is kept to', () => {
  const tasks = [
    ...Array.from({ length: 40 }, (_, i) => task(`日本語の仕事-${i}`, { ...running, attempt: 3 })),
    ...Array.from({ length: 40 }, (_, i) => task(`👩‍👩‍👧${i}`, { status: 'waiting', due_at: after(99_000) })),
    ...Array.from({ length: 9_920 }, (_, i) => task(`p${i}`, { needs: ['x\u001B[2J\u202E\ny'] })),
  ];
  test.each([
    [79, 23],
    [119, 39],
    [39, 10],
    [20, 5],
    [200, 2],
    [1, 1],
  ])('%i columns, %i rows', (columns, height) => {
    const shown = rows({ tasks, progress: { done: 0, total: 10_000, percentage: 0 } }, height, columns);
    expect(shown.length).toBeLessThanOrEqual(height);
    for (const row of shown) {
      expect(stringWidth(row)).toBeLessThanOrEqual(columns);
      expect(row).not.toMatch(/[\p{Cc}\u202E]/u);
    }
    if (height > 10) expect(shown.at(-1)).toMatch(/more running, \d+ more waiting, 991\d more to come$/);
  });
});

describe('the time left is told', () => {
  const done = (ms: number) => (_: unknown, i: number) =>
    task(`d${i}`, { status: 'succeeded', started_at: AT, ended_at: after(ms * (1 + (i % 2))) });
  const open = [task('a', running), task('b'), task('c')];
  const told = (more: Partial<ReadPlan>) => rows({ progress: { done: 9, total: 12, percentage: 75 }, ...more })[1];

  test('where enough alike tasks have ended', () => {
    const tasks = [...Array.from({ length: 10 }, done(10_000)), ...open];
    expect(told({ tasks })).toMatch(/about 27s left$/);
  });
  test.each<[string, Partial<ReadPlan>]>([
    ['few have ended', { tasks: [...Array.from({ length: 3 }, done(10_000)), ...open] }],
    [
      'a question is open',
      { tasks: [...Array.from({ length: 10 }, done(10_000)), ...open, task('q', { kind: 'approve' })] },
    ],
    [
      'somebody is waited for',
      { tasks: [...Array.from({ length: 10 }, done(10_000)), ...open], waiting_for: [{ what: 'release', text: '' }] },
    ],
  ])('but not when %s', (_, more) => expect(told(more)).not.toMatch(/left/));
});
