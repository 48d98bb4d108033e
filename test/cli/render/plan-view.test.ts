import pc from 'picocolors';
import { expect, test } from 'vitest';
import { planViewLines } from '../../../src/cli/render/plan-view.ts';
import { localTime } from '../../../src/cli/render/text.ts';
import type { TaskView } from '../../../src/plan/view.ts';
import type { ReadPlan } from '../../../src/service/read-plan.ts';
import { AT, ID, view } from '../fake-cli.ts';

const cli = { self: 'holdpoint', out: { line() {}, colours: pc.createColors(false) } };
const shown = (more: Partial<ReadPlan>) => planViewLines(view(more), cli);
const task = (id: string, more: Partial<TaskView> = {}): TaskView => ({
  id,
  kind: 'run',
  status: 'pending',
  attempt: 0,
  max_attempts: 1,
  needs: [],
  ...more,
});
const LATER = '2026-01-31T09:01:30.000Z';

test('a plan that waits for an answer: facts, tasks, the exact commands', () => {
  const question = { id: 'ask.1', task: 'ask', kind: 'approve', prompt: 'Ship?', opened_at: AT, expires_at: null };
  const lines = shown({
    state: { status: 'awaiting_input' },
    run: 2,
    progress: { done: 1, total: 3, percentage: 33 },
    waiting_for: [{ what: 'question', task: 'ask', text: 'question ask.1: Ship?' }],
    questions: [{ ...question, options: ['ship'] }],
    allowed_actions: ['approve', 'pause', 'stop', 'answer'],
    tasks: [
      task('build', { status: 'succeeded', attempt: 2, max_attempts: 3, started_at: AT, ended_at: LATER }),
      task('ask', { kind: 'approve', status: 'waiting', attempt: 1 }),
      task('deploy', { needs: ['ask'] }),
    ],
  });
  expect(lines).toEqual([
    'release  awaiting_input',
    `  plan       ${ID}`,
    `  created    ${localTime(AT)} by Ada, run 2`,
    '  done       1 of 3 tasks (33 %)',
    '  waits for  question ask.1: Ship?',
    `  answer     holdpoint answer ${ID} ask.1 ship`,
    `  next       holdpoint pause ${ID}`,
    `  next       holdpoint stop ${ID}`,
    '',
    'TASK    KIND     STATUS     ATTEMPT  TOOK   NOTE',
    'build   run      succeeded  2/3      1m30s',
    'ask     approve  waiting    1',
    'deploy  run      pending                    after ask',
  ]);
});

test.each<[string, Partial<ReadPlan>, string]>([
  ['pausing', { pausing: true }, 'release  executing, pausing'],
  ['being stopped', { stopping: true }, 'release  executing, being stopped'],
  [
    'its start time',
    { state: { status: 'stand_by', next_execution_at: LATER } },
    `release  stand_by until ${localTime(LATER)}`,
  ],
  ['the error', { error: { task: 'b', code: 'X', message: 'exit code 1' } }, '  error      task b: exit code 1'],
  [
    'that it is not fresh',
    { freshness: { live: false, at: AT, message: 'no worker is polling' } },
    '  note       no worker is polling',
  ],
  ['how a failed plan goes on', { state: { status: 'failed' } }, `  next       holdpoint resume ${ID}`],
  ['how a stopped plan starts anew', { state: { status: 'stopped' } }, `  next       holdpoint retry ${ID}`],
])('shows %s', (_, more, line) => expect(shown(more)).toContain(line));

test.each<[Partial<ReadPlan['tasks'][number]>, string]>([
  [{ status: 'running', silent_ms: 7 * 60_000 + 59_999 }, 'no output for 7m'],
  [{ status: 'running', silent_ms: 62 * 60_000 }, 'no output for 1h2m'],
  [{ status: 'running', queued: true }, 'waits for a worker'],
  [{ status: 'failed', error: { code: 'X', message: 'exit code 1' } }, 'exit code 1'],
  [{ status: 'skipped', reason: 'its condition is false' }, 'its condition is false'],
  [{ status: 'backing_off', error: { code: 'X', message: 'no' }, due_at: LATER }, `no; until ${localTime(LATER)}`],
  [{ status: 'succeeded', reused: true, started_at: AT, ended_at: LATER }, 'reused'],
  [{ hold: { since: AT, by: 'Ada', comment: 'not yet' }, needs: ['a'] }, 'held by Ada: not yet; after a'],
  [{ status: 'succeeded', answer: { choice: 'ship', by: 'Ada', at: AT } }, 'ship, by Ada'],
])('the note on a task: %j', (more, note) => {
  const [, row] = shown({ tasks: [task('x', more)] }).slice(-2);
  expect(row).toMatch(new RegExp(`  ${note}$`));
});

test('what a plan waits for is told in the time of the reader, as all other times are', () => {
  const waiting_for = [
    { what: 'wait' as const, task: 'nap', until: LATER, text: `time to pass of nap until ${LATER}` },
  ];
  const lines = planViewLines(view({ waiting_for }), {
    self: 'holdpoint',
    out: { line() {}, colours: pc.createColors(false) },
  });
  expect(lines).toContain(`  waits for  time to pass of nap until ${localTime(LATER)}`);
});
