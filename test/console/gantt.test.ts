import { expect, test } from 'vitest';
import type { Event, Task } from '../../src/console/api/types.ts';
import { rangeOf, shareOf, stepFor, ticksOf, tickWords } from '../../src/console/plan/gantt/scale.ts';
import { pausesOf, rowsOf, spansOf } from '../../src/console/plan/gantt/spans.ts';

const iso = (s: number) => new Date(s * 1_000).toISOString();
let seq = 0;
const event = (type: Event['type'], s: number, more: Partial<Event> = {}): Event => {
  seq += 1;
  return { seq, at: iso(s), type, ...more };
};
const of = (task: string, type: Event['type'], s: number, attempt = 1) => event(type, s, { task, attempt });
const task = (id: string, more: Partial<Task> = {}): Task => ({
  id,
  kind: 'run',
  status: 'running',
  attempt: 1,
  max_attempts: 3,
  needs: [],
  started_at: iso(0),
  ...more,
});
const looks = (spans: ReturnType<typeof spansOf>) =>
  spans.map(({ from, to, look }) => [look, from / 1_000, to === undefined ? undefined : to / 1_000]);

test('attempts and the times between them are stretches of their own', () => {
  const events = [
    of('a', 'TaskStarted', 10),
    of('a', 'TaskRetried', 12),
    of('a', 'TaskStarted', 15, 2),
    of('a', 'TaskSucceeded', 19, 2),
  ];
  const spans = spansOf(task('a', { status: 'succeeded', ended_at: iso(19) }), events);
  expect(looks(spans)).toEqual([
    ['failed', 10, 12],
    ['back_off', 12, 15],
    ['succeeded', 15, 19],
  ]);
  expect(spans.map(({ attempt }) => attempt)).toEqual([1, 1, 2]);
});

test('waiting for people is no work, and stays what it was once it is over', () => {
  const asked = [of('ok', 'TaskStarted', 5), of('ok', 'QuestionOpened', 5)];
  const waiting = task('ok', { kind: 'approve', status: 'waiting' });
  expect(looks(spansOf(waiting, asked))).toEqual([['people', 5, undefined]]);
  const answered = [...asked, of('ok', 'QuestionAnswered', 9), of('ok', 'TaskSucceeded', 9)];
  const ended = task('ok', { kind: 'approve', status: 'succeeded', ended_at: iso(9) });
  expect(looks(spansOf(ended, answered))).toEqual([['people', 5, 9]]);
});

test('a failure that somebody decides about is an attempt, then a wait', () => {
  const events = [of('a', 'TaskStarted', 1), of('a', 'QuestionOpened', 3), of('a', 'QuestionAnswered', 8)];
  expect(looks(spansOf(task('a'), [...events, of('a', 'TaskStarted', 8, 2)]))).toEqual([
    ['failed', 1, 3],
    ['people', 3, 8],
    ['running', 8, undefined],
  ]);
});

test('what the story does not tell is drawn from the task itself', () => {
  expect(looks(spansOf(task('b/x', { started_at: iso(3), ended_at: iso(4), status: 'failed' }), []))).toEqual([
    ['failed', 3, 4],
  ]);
  expect(looks(spansOf(task('w', { kind: 'wait', status: 'waiting', started_at: iso(3) }), []))).toEqual([
    ['timer', 3, undefined],
  ]);
});

test('rows are of the last run: earlier attempts and what is reused have no bars in it', () => {
  const entries = [
    of('a', 'TaskStarted', 1),
    of('b', 'TaskStarted', 2),
    of('b', 'TaskFailed', 3),
    event('RunStarted', 100),
    of('b', 'TaskStarted', 101),
  ];
  const tasks = [task('b', { started_at: iso(101) }), task('a', { reused: true, status: 'succeeded' })];
  const rows = rowsOf([...tasks, task('c', { status: 'pending', started_at: undefined as never })], entries);
  expect(rows.map(({ task: { id }, spans }) => [id, spans.length])).toEqual([
    ['a', 0],
    ['b', 1],
  ]);
});

test('a pause reaches from when it was given to when it was taken back', () => {
  const entries = [event('PlanPaused', 5, { by: 'Ada' }), event('PlanResumed', 9), event('PlanPaused', 20)];
  expect(pausesOf(entries)).toEqual([{ from: 5_000, to: 9_000, by: 'Ada' }, { from: 20_000 }]);
});

test('an axis reaches to now while something goes on, and to a deadline that is near', () => {
  const spans = [{ from: 1_000, to: 5_000 }, { from: 2_000 }];
  expect(rangeOf(spans, 9_000, { isLive: true })).toEqual({ from: 1_000, to: 9_000 });
  expect(rangeOf(spans, 9_000, { isLive: false })).toEqual({ from: 1_000, to: 5_000 });
  expect(rangeOf(spans, 9_000, { isLive: true, deadline: 12_000 })).toEqual({ from: 1_000, to: 12_000 });
  expect(rangeOf(spans, 9_000, { isLive: true, deadline: 900_000 })).toEqual({ from: 1_000, to: 9_000 });
  expect(rangeOf([], 9_000, { isLive: true }).to).toBeGreaterThan(9_000);
  expect(shareOf({ from: 1_000, to: 9_000 }, 5_000)).toBe(0.5);
});

test.each([
  [60_000, 1_000, 10_000],
  [3_600_000, 1_000, 600_000],
  [10 * 86_400_000, 1_000, 86_400_000],
  [500, 1_000, 50],
])('of %d ms on %d px every %d ms is marked', (ms, px, step) => {
  const range = { from: 1_234_567, to: 1_234_567 + ms };
  expect(stepFor(range, px, 92)).toBe(step);
  const ticks = ticksOf(range, step, 0);
  expect(ticks.length).toBeLessThanOrEqual(px / 92 + 1);
  for (const at of ticks) expect(at % step).toBe(0);
});

test('a mark says no more than its step', () => {
  const at = new Date(2026, 0, 2, 15, 4, 5).getTime();
  expect(tickWords(at, 60_000, 'en-GB')).toBe('15:04');
  expect(tickWords(at, 5_000, 'en-GB')).toBe('15:04:05');
  expect(tickWords(at, 86_400_000, 'en-GB')).toBe('2 Jan');
});
