import { writeFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import type { Fact } from './promises/facts.ts';
import { readStory } from './promises/read-story.ts';
import { replayable } from './promises/replayable.ts';
import type { Run, Story } from './promises/story.ts';
import { checkPromises, checkStory } from './promises.ts';
import { caller, startWorld, until, witness } from './world.ts';

let world: Awaited<ReturnType<typeof startWorld>>;
beforeAll(async () => {
  world = await startWorld();
});
afterAll(async () => {
  await world.stop();
});

const lastEvent = (story: Story) => story.events.at(-1)!;
const firstRun = (story: Story): Run => story.runs[0]!;
const scheduled = (story: Story, task: string, run = 0) =>
  story.runs[run]!.facts.find(
    (fact): fact is Fact & { is: 'scheduled' } => fact.is === 'scheduled' && fact.task === task,
  )!;
const event = (story: Story, type: string, task?: string) =>
  story.events.find((found) => found.type === type && (task === undefined || found.task === task))!;
/** Puts an event where it does not belong, and numbers all anew: only its meaning is wrong then. */
function insert(story: Story, at: number, given: Partial<Story['events'][number]>): void {
  const { at: time } = story.events[at]!;
  story.events.splice(at, 0, { seq: 0, at: time, type: 'TaskStarted', ...given });
  story.events.forEach((event, i) => {
    event.seq = i + 1;
  });
}
const place = (story: Story, type: string, task?: string) => story.events.indexOf(event(story, type, task));
const drop = <T>(list: T[], item: T) => list.splice(list.indexOf(item), 1);

/** A plan with a pause, a question, a failure, a retry with back-off and a next run: true in all, and then broken. */
async function trueStory() {
  const w = witness();
  const { service } = world;
  const id = await world.create(`
plan: 1
name: story
tasks:
  a: { run: "${w.mark('a')}; sleep 0.4" }
  b: { needs: [a], run: "${w.mark('b')}; test $(wc -l < ${w.path('b')}) -ge 2", retry: { max_attempts: 3, delay: 50ms } }
  ok: { needs: [b], approve: Go on? }
  c: { needs: [ok], run: "${w.mark('c')}; test -f ${w.path('fine')}" }
`);
  await until('a runs', () => w.n('a') === 1);
  const answers = [
    await service.command(caller, id, 'pause', { request_id: 'one' }),
    await service.command(caller, id, 'pause', { request_id: 'one' }),
  ];
  await world.reaches(id, 'paused');
  answers.push(await service.command(caller, id, 'resume', { request_id: 'two' }));
  await world.reaches(id, 'awaiting_input');
  answers.push(await service.command(caller, id, 'answer', { request_id: 'three', question: 'ok', choice: 'approve' }));
  await world.reaches(id, 'failed');
  writeFileSync(w.path('fine'), '');
  await service.nextRun(caller, id, { mode: 'resume' });
  await until('it completes', async () => (await world.read(id)).state.status === 'completed');
  return { client: world.client, orgId: 'local', planId: id, witness: { n: w.n }, answers };
}

let read: Awaited<ReturnType<typeof readStory>>;
beforeAll(async () => {
  const given = await trueStory();
  expect(await checkPromises(given)).toEqual([]);
  read = await readStory(given);
});

const breaches: [promise: number, what: string, breakIt: (story: Story) => void, message: RegExp][] = [
  [1, 'the plan is gone', (s) => s.runs.splice(0), /does not exist/],
  [1, 'it does not end', (s) => Object.assign(s, open(s), { status: 'executing' }), /has not ended/],
  [1, 'it was terminated', (s) => (s.runs.at(-1)!.ending = { how: 'terminated' }), /terminated from outside/],
  [
    1,
    'it failed by an error of the program',
    (s) => (firstRun(s).ending = { how: 'failed', type: 'TypeError' }),
    /as no plan does/,
  ],
  [1, 'completed with work left', (s) => (s.tasks = [{ id: 'c', status: 'running' }]), /completed with task c running/],
  [1, 'completed in Temporal only', (s) => (s.status = 'executing'), /the plan says executing/],
  [1, 'handed over to nobody', (s) => (s.runs.at(-1)!.ending = { how: 'continued' }), /not there/],
  [
    2,
    'started before its need ended',
    (s) => drop(s.events, event(s, 'TaskSucceeded', 'a')),
    /b#1.1 started before a had ended/,
  ],
  [
    2,
    'scheduled while its need was running',
    (s) => (ended(s, scheduled(s, 'a')).id = 1_000),
    /while a was still running/,
  ],
  [
    2,
    'started while paused',
    (s) => move(s, 'PlanResumed', event(s, 'TaskStarted', 'c').seq),
    /started after PlanPaused/,
  ],
  [
    2,
    'started after a stop',
    (s) => insert(s, place(s, 'TaskStarted', 'b'), { type: 'PlanStopped' }),
    /started after PlanStopped/,
  ],
  [
    2,
    'scheduled with no event',
    (s) => firstRun(s).facts.push({ ...scheduled(s, 'a'), id: 900, dispatch: 2, at: 1 }),
    /no event says so/,
  ],
  [
    2,
    'scheduled in a child while paused',
    (s) => s.children.push(child(s, event(s, 'PlanPaused').seq)),
    /in a child while the plan was paused/,
  ],
  [
    2,
    'scheduled in a child before its need ended',
    (s) => s.children.push(child(s, event(s, 'PlanCreated').seq, 'c')),
    /c was scheduled in a child before ok had ended/,
  ],
  [
    2,
    'scheduled in a child after the end',
    (s) => s.children.push(child(s, lastEvent(s).seq)),
    /in a child while the plan was completed/,
  ],
  [
    3,
    'scheduled again in the same run',
    (s) => firstRun(s).facts.push({ ...scheduled(s, 'a'), id: 900 }),
    /a was scheduled again/,
  ],
  [
    3,
    'scheduled again in the next run',
    (s) => s.runs[1]!.facts.push({ ...scheduled(s, 'a'), id: 900 }),
    /a was scheduled again/,
  ],
  [
    3,
    'scheduled again although reused',
    (s) => {
      s.runs[1]!.facts.push({ ...scheduled(s, 'a'), id: 900 });
      for (const run of s.runs) run.fingerprints = undefined;
    },
    /a was scheduled again/,
  ],
  [3, 'completed and never seen', (s) => seen(s, { a: 0 }), /a completed 1 times and was seen 0/],
  [3, 'seen more often than scheduled', (s) => seen(s, { a: 2 }), /a was seen 2 times, and 1 attempts/],
  [
    3,
    'seen and never scheduled',
    (s) => {
      s.witness = { n: () => 1, tasks: ['ghost'] };
    },
    /ghost was seen 1 times/,
  ],
  [
    4,
    'a pause taken while paused',
    (s) => insert(s, place(s, 'PlanResumed'), { type: 'PlanPaused' }),
    /pause was taken where it is not allowed/,
  ],
  [
    4,
    'a resume of a running plan',
    (s) => insert(s, place(s, 'PlanPaused'), { type: 'PlanResumed' }),
    /resume was taken where/,
  ],
  [
    4,
    'a stop after the end',
    (s) => s.events.push({ ...lastEvent(s), seq: lastEvent(s).seq + 1, type: 'PlanStopped', state: undefined }),
    /stop was taken where it is not allowed/,
  ],
  [
    4,
    'refused although legal',
    (s) =>
      insert(s, place(s, 'PlanPaused'), {
        type: 'CommandRefused',
        message: 'pause: cannot pause a plan that is executing',
      }),
    /refused where it is allowed/,
  ],
  [
    4,
    'one request twice',
    (s) => insert(s, place(s, 'PlanPaused') + 1, { type: 'CommandRefused', message: 'pause: no' }),
    /pause: 1 were sent under different request ids, and 2/,
  ],
  [
    4,
    'a command without effect',
    (s) => firstRun(s).facts.push({ is: 'signal', id: 900, name: 'hold', request_id: 'x' }),
    /hold: 1 were sent .* and 0/,
  ],
  [
    4,
    'told otherwise',
    (s) => (s.answers[0]!.told = { request_id: 'one', result: 'done' }),
    /told done; the plan says accepted/,
  ],
  [
    4,
    'told and never sent',
    (s) => (s.answers[0]!.told = { request_id: 'never', result: 'done' }),
    /no history holds it/,
  ],
  [
    4,
    'answered twice',
    (s) => s.events.push({ ...event(s, 'QuestionAnswered'), seq: lastEvent(s).seq + 1 }),
    /which was not open/,
  ],
  [
    4,
    'a question id that comes again',
    (s) => insert(s, place(s, 'QuestionOpened'), { type: 'QuestionOpened', question: 'ok.1' }),
    /opened twice/,
  ],
  [5, 'a gap', (s) => drop(s.events, event(s, 'TaskRetried')), /has seq/],
  [5, 'a repeat', (s) => s.events.splice(3, 0, s.events[3]!), /has seq/],
  [5, 'back in time', (s) => (event(s, 'PlanResumed').at = 1), /earlier than the one before/],
  [5, 'two endings', (s) => s.events.push({ ...lastEvent(s), seq: lastEvent(s).seq + 1 }), /2 endings/],
  [5, 'no ending', (s) => drop(s.events, lastEvent(s)), /0 endings/],
  [
    5,
    'an event after the end',
    (s) => s.events.push({ seq: lastEvent(s).seq + 1, at: lastEvent(s).at, type: 'TaskHeld' }),
    /comes after the end/,
  ],
  [5, 'no events at all', (s) => s.events.splice(0), /tells no events/],
  [
    6,
    'stuck code',
    (s) => firstRun(s).facts.push({ is: 'stuck', id: 9, message: 'Nondeterminism' }),
    /failed at a workflow task: Nondeterminism/,
  ],
];

test.each(breaches)('promise %i, broken so that %s, is told', (promise, _what, breakIt, message) => {
  const story = structuredClone({ ...read.story, witness: undefined }) as Story;
  story.witness = read.story.witness;
  expect(checkStory(story)).toEqual([]);
  breakIt(story);
  const found = checkStory(story).filter((violation) => violation.promise === promise);
  expect(found.map((violation) => violation.message).join('\n')).toMatch(message);
});

test('promise 6, broken by a history that the code does not lead to, is told', async () => {
  const [first] = read.histories;
  const tampered = structuredClone(first!.events);
  const found = tampered.find((event) => event.activityTaskScheduledEventAttributes)!;
  found.activityTaskScheduledEventAttributes!.activityId = 'other#1.1';
  const violations = await replayable(inject('bundle'), [{ ...first!, events: tampered }]);
  expect(violations).toEqual([expect.objectContaining({ promise: 6, message: expect.stringMatching(/other#1\.1/) })]);
});

test('of a completed task whose fingerprint changed, and of a retry, another run is right', () => {
  const story = { ...structuredClone({ ...read.story, witness: undefined }), witness: undefined } as Story;
  const again = scheduled(story, 'a');
  const started = event(story, 'RunStarted');
  story.runs[1]!.facts.push({ ...again, id: 900, at: started.at });
  drop(story.events, event(story, 'TaskReused', 'a'));
  const told = () => checkStory(story).filter(({ promise }) => promise === 3);
  expect(told()).toHaveLength(1);
  story.runs[1]!.fingerprints = { a: 'another' };
  expect(told()).toEqual([]);
  story.runs[1]!.fingerprints = story.runs[0]!.fingerprints;
  started.details = { run: 2, mode: 'retry' };
  expect(told()).toEqual([]);
});

function open(story: Story) {
  story.runs.at(-1)!.ending = undefined;
  return {};
}
const ended = (story: Story, of: Fact & { is: 'scheduled' }) =>
  firstRun(story).facts.find((fact): fact is Fact & { is: 'ended' } => fact.is === 'ended' && fact.of === of.id)!;
function seen(story: Story, counts: Record<string, number>) {
  const { n } = story.witness!;
  story.witness = { n: (task) => counts[task] ?? n(task) };
}
function move(story: Story, type: string, to: number) {
  const found = event(story, type);
  drop(story.events, found);
  story.events.splice(to, 0, found);
  story.events.forEach((event, i) => {
    event.seq = i + 1;
  });
}
/** A child that schedules an attempt a moment after the plan's state event that follows `seq`. */
function child(story: Story, seq: number, task = 'x'): Story {
  const { at } = story.events.find((event) => event.seq >= seq && event.state)!;
  const facts: Fact[] = [{ is: 'scheduled', id: 5, by: 3, at: at + 1, task, attempt: 1, dispatch: 1 }];
  const run: Run = { workflow_id: `${firstRun(story).workflow_id}/x`, run_id: 'r', begins: 'first', facts };
  return { plan_id: 'x', runs: [run], children: [], events: [], needs: {}, answers: [], faults: true };
}
