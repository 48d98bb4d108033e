import { describe, expect, inject, test } from 'vitest';
import { replayProblem, replayProblemWithoutCache } from '../support/replay.ts';
import { load, recorded } from './histories.ts';
import { KEPT_SCENARIOS } from './kept-scenarios.ts';
import { SCENARIOS } from './scenarios.ts';

type Event = Record<string, { activityId?: string; startToFireTimeout?: string } | undefined>;
const bundle = inject('bundle');
const problemOf = (history: ReturnType<typeof load>) => replayProblem(bundle, history, history.workflow_id);

// Red here means: plans that are open somewhere would break. See docs/changing-workflow-code.md; never record anew.
describe.each(recorded())('%s', (name) => {
  test('replays with the present workflow code', async () => {
    expect(await problemOf(load(name))).toBeUndefined();
  });

  test('replays as without a cache: from nothing at every workflow task', async () => {
    const history = load(name);
    expect(await replayProblemWithoutCache(bundle, history, history.workflow_id)).toBeUndefined();
  });
});

test('there is a history of every scenario', () => {
  const names = recorded().map((name) => name.replace(/(\.\d+)?(\.json)?$/, ''));
  expect([...new Set(names)].sort()).toEqual(Object.keys({ ...SCENARIOS, ...KEPT_SCENARIOS }).sort());
});

/** What new code may do wrong; each must be seen where a recorded history has such an event. */
const TAMPERINGS: [what: string, tamper: (events: Event[]) => boolean][] = [
  [
    'an activity of another name',
    (events) => {
      const found = events.find((event) => event.activityTaskScheduledEventAttributes);
      if (found) found.activityTaskScheduledEventAttributes!.activityId = 'renamed#1.1';
      return found !== undefined;
    },
  ],
  [
    'an activity left out',
    (events) => {
      const found = events.find((event) => event.activityTaskScheduledEventAttributes);
      if (found) {
        delete found.activityTaskScheduledEventAttributes;
        Object.assign(found, { eventType: 'EVENT_TYPE_TIMER_STARTED', timerStartedEventAttributes: { timerId: '99' } });
      }
      return found !== undefined;
    },
  ],
];

describe.each(TAMPERINGS)('%s', (_, tamper) => {
  test('does not replay: the test above can fail', async () => {
    const tampered = recorded()
      .map(load)
      .filter(({ events }) => tamper(events as Event[]))
      .filter((_, i) => i % 6 === 0);
    for (const history of tampered) expect(await problemOf(history)).toMatch(/Nondeterminism|TMPRL1100/);
    expect(tampered.length).toBeGreaterThan(0);
  });
});
