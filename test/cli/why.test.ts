import { expect, test } from 'vitest';
import type { ReadPlan } from '../../src/service/read-plan.ts';
import { AT, fakeCli, ID, view } from './fake-cli.ts';

const error = {
  code: 'TASK_FAILED',
  message: 'exit code 3: giving up',
  details: { exit_code: 3, stderr: 'cannot reach\ngiving up\n' },
};
const task = { id: 'fetch', kind: 'run', attempt: 1, max_attempts: 1, needs: [] };
const failed = view({
  state: { status: 'failed' },
  error: { task: 'fetch', ...error },
  tasks: [{ ...task, status: 'failed', error, ended_at: AT }],
});
const EVENTS = [
  { seq: 1, at: 0, type: 'TaskStarted', task: 'fetch', attempt: 1 },
  { seq: 2, at: 2_000, type: 'TaskFailed', task: 'fetch', message: error.message },
] as const;
const plan = (read: ReadPlan) => fakeCli({ service: { read: async () => read, events: async () => [...EVENTS] } });

test('of a failed plan: the task, the exact commands, its attempts, and the end of its stderr', async () => {
  const { run, out } = plan(failed);
  expect(await run('why', ID)).toBe(0);
  expect(out).toEqual([
    '- task fetch failed: exit code 3: giving up',
    `    holdpoint resume ${ID}`,
    `    holdpoint retry ${ID}  # from nothing`,
    '',
    'attempts:',
    expect.stringMatching(/^ {2}attempt 1, .*: failed after 2s: exit code 3: giving up$/),
    '',
    'the end of its stderr:',
    '  cannot reach',
    '  giving up',
  ]);
});

test('--json gives the reasons, with what would let the plan go on', async () => {
  const { run, out } = plan(failed);
  await run('why', ID, 'fetch', '--json');
  expect(JSON.parse(out.join('\n'))).toMatchObject({
    plan_id: ID,
    task: 'fetch',
    state: { status: 'failed' },
    reasons: [{ what: 'failed', task: 'fetch', since: AT, ways: [{ command: 'resume' }, { command: 'retry' }] }],
    attempts: [{ attempt: 1, how: 'failed' }],
    stderr: 'cannot reach\ngiving up\n',
  });
});

test('a task that is not in the plan is refused', async () => {
  const { run, err } = plan(failed);
  expect(await run('why', ID, 'nope')).toBe(3);
  expect(err).toEqual([`holdpoint: plan ${ID} has no task "nope"`]);
});

test('a plan between two tasks is told so', async () => {
  const { run, out } = plan(view());
  await run('why', ID);
  expect(out).toEqual(['- the plan is executing, and its next task starts at any moment']);
});
