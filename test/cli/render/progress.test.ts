import pc from 'picocolors';
import { expect, test } from 'vitest';
import { tellProgress } from '../../../src/cli/render/progress.ts';
import { localTime } from '../../../src/cli/render/text.ts';
import { EVENT_TYPES, type EventType, type PlanEvent } from '../../../src/plan/events.ts';
import type { PlanView } from '../../../src/plan/view.ts';
import { approval, define } from '../../support/rules.ts';
import { AT, ID, view } from '../fake-cli.ts';

const definition = define({
  build: {},
  lint: { on_failure: 'continue' },
  nap: { kind: 'wait', mode: 'clock' },
  name: { kind: 'set', mode: 'value' },
  ship_it: approval(['build']),
});
const cli = { self: 'holdpoint', out: { line() {}, colours: pc.createColors(false) } };

/** What is told of some events, 1 s apart, after each other. */
function tell(events: Omit<PlanEvent, 'seq' | 'at'>[], seen?: PlanView): string[] {
  const teller = tellProgress({ plan_id: ID, definition }, cli);
  return events.flatMap((event, i) => teller.lines({ seq: i + 1, at: i * 1_000, ...event }, seen));
}
test('a question of several lines is told in lines, which cannot steer the terminal', () =>
  expect(tell([{ type: 'QuestionOpened', task: 'ship_it', message: 'Ship?\n\n  a  1\n  b\u001B[2J  2\n' }])).toEqual([
    '[0/5] ship_it  asks: Ship?',
    '        a  1',
    '        b  2',
  ]));

type Told = [Omit<PlanEvent, 'seq' | 'at'>[], string[]];

test.each<Told>([
  [[{ type: 'PlanCreated', by: 'Ada' }], []],
  [[{ type: 'TaskStarted', task: 'build', attempt: 1 }], ['[0/5] build    started']],
  [
    [
      { type: 'TaskStarted', task: 'build', attempt: 1 },
      { type: 'TaskSucceeded', task: 'build', attempt: 1 },
    ],
    ['[0/5] build    started', '[1/5] build    succeeded in 1s'],
  ],
  [
    [
      { type: 'TaskRetried', task: 'build', attempt: 1, message: 'exit code 3', details: { delay_ms: 5_000 } },
      { type: 'PlanStateChanged', state: { status: 'stand_by', next_execution_at: AT } },
      { type: 'TaskStarted', task: 'build', attempt: 2 },
    ],
    ['[0/5] build    attempt 1 failed, retry in 5s: exit code 3', '[0/5] build    started, attempt 2'],
  ],
  [[{ type: 'TaskFailed', task: 'build', message: 'exit code 1: boom' }], ['[0/5] build    failed: exit code 1: boom']],
  [[{ type: 'TaskFailed', task: 'lint', message: 'exit code 1' }], ['[1/5] lint     failed: exit code 1']],
  [
    [{ type: 'TaskSkipped', task: 'build', message: 'its condition is false' }],
    ['[1/5] build    skipped: its condition is false'],
  ],
  [[{ type: 'TaskReused', task: 'build' }], ['[1/5] build    reused']],
  [
    [{ type: 'TaskLost', task: 'build', message: 'its worker died' }],
    ['[0/5] build    its worker was lost, it runs again: its worker died'],
  ],
  [[{ type: 'TaskCancelled', task: 'build', message: 'stopped by Ada' }], ['[0/5] build    cancelled: stopped by Ada']],
  [
    [
      { type: 'TaskStarted', task: 'name' },
      { type: 'TaskSucceeded', task: 'name' },
    ],
    ['[1/5] name     succeeded in 1s'],
  ],
  [
    [{ type: 'PlanStateChanged', state: { status: 'stand_by', next_execution_at: AT } }],
    [`[0/5] waits until ${localTime(AT)}`],
  ],
  [
    [
      { type: 'PlanPaused', by: 'Ada' },
      { type: 'PlanStateChanged', state: { status: 'paused' } },
      { type: 'PlanResumed', by: 'Bob' },
      { type: 'PlanStateChanged', state: { status: 'stand_by', next_execution_at: AT } },
    ],
    ['[0/5] plan paused by Ada', `      holdpoint resume ${ID}`, '[0/5] plan resumed by Bob'],
  ],
  [
    [
      { type: 'TaskStarted', task: 'build', attempt: 1 },
      { type: 'PlanPaused', by: 'Ada' },
    ],
    ['[0/5] build    started', '[0/5] pause asked by Ada; what runs ends first'],
  ],
  [[{ type: 'PlanStopped', by: 'Ada' }], ['[0/5] stop asked by Ada']],
  [
    [{ type: 'PlanStateChanged', state: { status: 'pending_review' } }],
    ['[0/5] waits for review', `      holdpoint approve ${ID}`],
  ],
  [
    [{ type: 'TaskHeld', task: 'build', by: 'Ada' }],
    ['[0/5] build    held by Ada', `      holdpoint release ${ID} build`],
  ],
  [[{ type: 'TaskReleased', task: 'build', by: 'Ada' }], ['[0/5] build    released by Ada']],
  [
    [{ type: 'QuestionAnswered', task: 'ship_it', by: 'Ada', message: 'ship' }],
    ['[0/5] ship_it  answered by Ada: ship'],
  ],
  [[{ type: 'CommandRefused', by: 'Ada', message: 'pause: no' }], ['[0/5] refused to Ada: pause: no']],
  [[{ type: 'TaskFailed', task: 'build', message: '\u001b[2Jgone\nwild' }], ['[0/5] build    failed: gone wild']],
])('%j', (events, lines) => expect(tell(events)).toEqual(lines));

test('a question is told with the exact command for each option', () => {
  const question = {
    id: 'ship_it.1',
    task: 'ship_it',
    kind: 'approve',
    prompt: 'Ship?',
    opened_at: AT,
    expires_at: null,
  };
  const seen = view({ questions: [{ ...question, options: ['ship', 'not yet', '-1'] }] });
  const event = { type: 'QuestionOpened', task: 'ship_it', question: 'ship_it.1', message: 'Ship?' } as const;
  expect(tell([event], seen)).toEqual([
    '[0/5] ship_it  asks: Ship?',
    `      holdpoint answer ${ID} ship_it.1 ship`,
    `      holdpoint answer ${ID} ship_it.1 'not yet'`,
    `      holdpoint answer ${ID} ship_it.1 -- -1`,
  ]);
});

test('a command’s short output is shown, five lines of a step’s and forty of a result’s; a stored one is not', () => {
  const task = { id: 'build', kind: 'run', status: 'succeeded', attempt: 1, max_attempts: 1, needs: [] } as const;
  const printed = (stdout: unknown, id = 'build') =>
    tell(
      [{ type: 'TaskSucceeded', task: id }],
      view({ tasks: [{ ...task, id, needs: [], outputs: { stdout } }] }),
    ).slice(1);
  expect(printed('1\n2\n3\n4\n5\n6\n7')).toEqual(['1', '2', '3', '4', '5', '… 2 more'].map((line) => `      ${line}`));
  expect(printed('1\n2\n3\n4\n5\n6\n7', 'lint')).toHaveLength(7);
  expect(printed({ $stored: { bytes: 9_999 } })).toEqual([]);
  expect(printed('\n')).toEqual([]);
});

test('a question that was answered before it could be shown has no commands', () => {
  const event = { type: 'QuestionOpened', task: 'ship_it', question: 'ship_it.1', message: 'Ship?' } as const;
  expect(tell([event], view())).toEqual(['[0/5] ship_it  asks: Ship?']);
});

test('an event of a type that only a later build knows is passed over', () => {
  expect(tell([{ type: 'TaskDreamt' as EventType, task: 'build' }])).toEqual([]);
});

test('the view is asked for only where a line needs it, and a large one not for outputs', () => {
  const needed = (task: string, tasks = definition) =>
    EVENT_TYPES.filter((type) =>
      tellProgress({ plan_id: ID, definition: tasks }, cli).needsView({ seq: 1, at: 0, type, task }),
    );
  expect(needed('build')).toEqual(['TaskSucceeded', 'QuestionOpened']);
  expect(needed('name')).toEqual(['QuestionOpened']);
  const large = define(Object.fromEntries(Array.from({ length: 1_001 }, (_, i) => [`t${i}`, {}])));
  expect(needed('t1', large)).toEqual(['QuestionOpened']);
});

test.each(['shell', 'claude'] as const)('what a %s step of a workflow file printed is shown', (kind) => {
  const task = { id: 'build', kind, status: 'succeeded', attempt: 1, max_attempts: 1, needs: [] } as const;
  const seen = view({
    tasks: [{ ...task, needs: [], outputs: { output: 'what it printed', exit_code: 0, success: true } }],
  });
  expect(tell([{ type: 'TaskSucceeded', task: 'build', attempt: 1 }], seen).join('\n')).toContain('what it printed');
});

test('iterations are told by their input and their step, and counted', () => {
  const iterate = { definition: define({ iterate: { kind: 'map', mode: 'map' } }), plan_id: ID };
  const teller = tellProgress(iterate, cli);
  const events: Omit<PlanEvent, 'seq' | 'at'>[] = [
    { type: 'TaskStarted', task: 'iterate', attempt: 1 },
    { type: 'TaskStarted', task: 'iterate[0]', attempt: 1, details: { input: 1, of: 2, name: 'o\u001B[2Jne' } },
    { type: 'TaskStarted', task: 'iterate[0]/a', attempt: 1, details: { step: 1, steps: 2 } },
    { type: 'TaskStarted', task: 'iterate[0]/b', attempt: 2, details: { step: 2, steps: 2 } },
    { type: 'TaskStarted', task: 'iterate[1]', attempt: 1, details: { input: 2, of: 2, name: 'two' } },
    { type: 'TaskSucceeded', task: 'iterate', attempt: 1 },
  ];
  expect(events.flatMap((event, i) => teller.lines({ seq: i + 1, at: i * 1_000, ...event }))).toEqual([
    '[0/1] iterate  started',
    '[0/2] Processing input 1/2: one',
    '[0/2]   step 1/2: a',
    '[0/2]   step 2/2: b, attempt 2',
    '[1/2] Processing input 2/2: two',
    '[2/2] iterate  succeeded in 5s',
  ]);
});
