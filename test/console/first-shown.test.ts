import { expect, test } from 'vitest';
import type { Entry } from '../../src/console/plan/events/event-words.ts';
import { failedIn, firstShown } from '../../src/console/plan/logs/first-shown.ts';

const at = (second: number): string => `2026-01-01T00:00:0${second}Z`;
const event = (seq: number, type: string, task: string): Entry => ({ seq, at: at(seq), type, task }) as Entry;
const TASKS = [
  { id: 'a', kind: 'run', started_at: at(1) },
  { id: 'each', kind: 'map', started_at: at(2) },
  { id: 'sub', kind: 'plan', started_at: at(3) },
  { id: 'ok', kind: 'approve', started_at: at(4) },
  { id: 'later', kind: 'run' },
];
const plan = (more: object) => ({ tasks: TASKS, current_tasks: [], run: 1, error: null, ...more });

test('what is in a map or sub-plan is at work, not the map', () => {
  expect(firstShown(plan({ current_tasks: ['a', 'each', 'each[0]', 'each[1]', 'ok'] }), [])).toEqual({
    task: 'each[1]',
    is: 'at_work',
  });
  expect(firstShown(plan({ current_tasks: ['a', 'sub', 'each'] }), [])).toEqual({ task: 'a', is: 'at_work' });
  expect(firstShown(plan({ current_tasks: ['each', 'each[0]', 'each[0]/x'] }), []).task).toBe('each[0]/x');
  expect(firstShown(plan({ current_tasks: ['each'] }), [])).toEqual({ task: 'a', is: 'last' });
});

test('of a failed plan what failed it is shown, of a map its first item that failed in the latest run', () => {
  const story = [
    event(1, 'TaskFailed', 'each[9]'),
    { ...event(2, 'RunStarted', ''), details: { run: 2 } } as Entry,
    event(3, 'TaskFailed', 'eachother'),
    event(4, 'TaskFailed', 'each[2]/x'),
    event(5, 'TaskFailed', 'each[2]'),
    event(6, 'TaskFailed', 'each[1]'),
    event(7, 'TaskFailed', 'each'),
  ];
  expect(failedIn(story, 2, 'each')).toEqual(['each[2]/x', 'each[1]']);
  const error = (task: string) => ({ code: 'X', message: '', task });
  expect(firstShown(plan({ run: 2, error: error('each') }), story)).toEqual({ task: 'each[2]/x', is: 'failed' });
  expect(firstShown(plan({ error: error('a') }), [])).toEqual({ task: 'a', is: 'failed' });
  expect(firstShown(plan({ error: error('sub') }), [])).toEqual({ task: 'a', is: 'last' });
  expect(firstShown(plan({ tasks: [] }), [])).toEqual({ task: undefined, is: 'last' });
});
