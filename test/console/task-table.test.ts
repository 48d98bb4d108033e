import { expect, test } from 'vitest';
import type { Plan, Task } from '../../src/console/api/types.ts';
import { noteOf, shownOf } from '../../src/console/plan/graph/shown.ts';
import { filtered, sorted } from '../../src/console/plan/table/columns.ts';

const task = (id: string, more: Partial<Task> = {}): Task => ({
  id,
  kind: 'run',
  status: 'pending',
  attempt: 0,
  max_attempts: 1,
  needs: [],
  ...more,
});
const rows = [
  task('t10', { status: 'succeeded', started_at: '2026-01-01T00:00:00Z', ended_at: '2026-01-01T00:00:09Z' }),
  task('t2', { status: 'failed', error: { code: 'X', message: 'no such host' }, started_at: '2026-01-01T00:00:01Z' }),
  task('t1', { hold: { since: '2026-01-01T00:00:00Z', by: 'Ada' } }),
].map((each) => ({ task: each }));
const ids = (of: typeof rows) => of.map(({ task: { id } }) => id);

test('sorts names as people count, and what has no value last either way', () => {
  expect(ids(sorted(rows, { by: 'id', isDown: false }, 0))).toEqual(['t1', 't2', 't10']);
  expect(ids(sorted(rows, { by: 'started', isDown: true }, 0))).toEqual(['t2', 't10', 't1']);
  expect(ids(sorted(rows, { by: 'started', isDown: false }, 0))).toEqual(['t10', 't2', 't1']);
  expect(ids(sorted(rows, undefined, 0))).toEqual(['t10', 't2', 't1']);
});

test('finds by status, by hold, and by what a note says', () => {
  expect(ids(filtered(rows, 'failed', ''))).toEqual(['t2']);
  expect(ids(filtered(rows, 'held', ''))).toEqual(['t1']);
  expect(ids(filtered(rows, '', 'SUCH host'))).toEqual(['t2']);
  expect(ids(filtered(rows, 'succeeded', 'host'))).toEqual([]);
});

test('a note has no colours of a terminal in it', () => {
  const message = '\u001b[31mred\u001b[0m\u001b]0;title\u0007 and plain';
  expect(noteOf({ task: task('a', { status: 'failed', error: { code: 'X', message } }) })).toBe('red and plain');
});

const plan = (tasks: Task[], more: Partial<Plan> = {}) =>
  ({ tasks, waiting_for: [], questions: [], current_tasks: [], ...more }) as unknown as Plan;

test('a task of which nothing has changed is the same as before, also when another has', () => {
  const [a, b] = [task('a'), task('b')];
  const before = shownOf(plan([a, b]));
  const after = shownOf(plan([a, { ...b, status: 'running' }]), before);
  expect(after.get('a')).toBe(before.get('a'));
  expect(after.get('b')).not.toBe(before.get('b'));
});

test('a note says what is waited for, who holds, and which items of a map are at work', () => {
  const shown = shownOf(
    plan([task('ok', { status: 'waiting' }), task('each', { status: 'running' }), rows[2]!.task], {
      waiting_for: [{ what: 'question', task: 'ok', text: 'question ok.1' }],
      questions: [
        { id: 'ok.1', task: 'ok', kind: 'approve', prompt: 'Go on?', options: [], opened_at: '', expires_at: null },
      ],
      current_tasks: ['each', 'each[2]', 'each[3]'],
    }),
  );
  expect(noteOf(shown.get('ok')!)).toBe('Asks: Go on?');
  expect(noteOf(shown.get('each')!)).toBe('At work: [2], [3]');
  expect(noteOf(shown.get('t1')!)).toBe('Held by Ada');
});
