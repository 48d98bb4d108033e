import { describe, expect, test } from 'vitest';
import { type Entry, EVENT_LOOKS, wordsOf } from '../../src/console/plan/events/event-words.ts';
import { groupsOf } from '../../src/console/plan/events/groups.ts';
import { attemptsOf } from '../../src/console/plan/task/attempts.ts';
import { EVENT_TYPES } from '../../src/plan/events.ts';

const AT = '2026-01-02T03:04:05.678Z';
const event = (seq: number, type: string, more: object = {}) => ({ seq, at: AT, type, ...more }) as Entry;

describe('how events are told', () => {
  test.each([
    ['PlanPaused', 'orange', 'Paused by Ada'],
    ['PlanResumed', 'blue', 'Resumed by Ada'],
    ['PlanStopped', 'red', 'Stopped by Ada'],
  ] as const)('%s is %s, as in document 1', (type, tone, words) => {
    expect(EVENT_LOOKS[type]).toMatchObject({ tone, lifecycle: true });
    expect(wordsOf(event(1, type, { by: 'Ada' }))).toBe(words);
  });

  test('each type has words of its own', () => {
    const words = EVENT_TYPES.map((type) => wordsOf(event(1, type, { by: 'Ada', details: {} })));
    expect(new Set(words).size).toBe(EVENT_TYPES.length);
    expect(words.join()).not.toMatch(/NaN|object/);
  });

  test('what an event says besides is in its words', () => {
    expect(wordsOf(event(1, 'RunStarted', { by: 'Ada', details: { run: 2, mode: 'resume', from: 'b' } }))).toBe(
      'Run 2 started by Ada, from b on',
    );
    const retried = { attempt: 2, details: { delay_ms: 4_000, attempts: 2, max_attempts: 3 } };
    expect(wordsOf(event(1, 'TaskRetried', retried))).toBe('Attempt 2 of 3 failed, tries again in 4 s');
    expect(wordsOf(event(1, 'TaskStarted', { details: { input: 3, of: 10, name: 'c.md' } }))).toBe(
      'Started input 3 of 10: c.md',
    );
    expect(wordsOf({ type: 'gap', from_seq: 1, seq: 9, message: 'removed by retention' })).toBe(
      'Events 1 to 9 are not there any more: removed by retention',
    );
  });
});

describe('the runs of a story', () => {
  const RUN_2 = event(3, 'RunStarted', { details: { run: 2 } });
  const groups = (entries: Entry[], last: number) =>
    groupsOf(entries, last).map(({ run, entries }) => [run, ...entries.map((one) => ('seq' in one ? one.seq : 0))]);

  test('stand by themselves, newest first', () => {
    expect(groups([event(1, 'PlanCreated'), event(2, 'PlanStopped'), RUN_2, event(4, 'TaskStarted')], 2)).toEqual([
      [2, 4, 3],
      [1, 2, 1],
    ]);
  });

  test('have their numbers also where the story begins in the middle', () => {
    expect(groups([event(2, 'PlanStopped'), RUN_2], 2)).toEqual([
      [2, 3],
      [1, 2],
    ]);
    expect(groups([event(7, 'TaskStarted')], 5)).toEqual([[5, 7]]);
  });
});

test('attempts are told by what began and ended them, with their logs, newest first', () => {
  const times = (second: number) => `2026-01-02T03:04:0${second}.000Z`;
  const of = (seq: number, type: string, attempt: number, more: object = {}) =>
    event(seq, type, { task: 'a', attempt, at: times(seq), ...more });
  const log = (attempt: number, dispatch: number, second: number) => ({
    ...{ run: 1, task: 'a', attempt, dispatch, bytes: 1 },
    ...{ started_at: times(second), last_output_at: times(second) },
  });
  const story = [
    event(1, 'PlanCreated'),
    of(2, 'TaskStarted', 1),
    of(3, 'TaskLost', 1, { message: 'gone' }),
    of(4, 'TaskStarted', 1),
    of(5, 'TaskRetried', 1, { message: 'exit code 3' }),
    of(6, 'TaskStarted', 2),
    event(7, 'TaskSucceeded', { task: 'b', attempt: 1 }),
  ];
  const found = attemptsOf(story, 'a', 1, [log(1, 1, 2), log(1, 2, 4)]);
  expect(
    found.map(({ attempt, end, message, logs }) => [attempt, end, message, logs.map((one) => one.dispatch)]),
  ).toEqual([
    [2, undefined, undefined, []],
    [1, 'TaskRetried', 'exit code 3', [2]],
    [1, 'TaskLost', 'gone', [1]],
  ]);
});
