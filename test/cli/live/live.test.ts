import { setTimeout as delay } from 'node:timers/promises';
import { expect, test } from 'vitest';
import type { LiveScreen, Terminal, TerminalUser } from '../../../src/cli/terminal.ts';
import { Fault } from '../../../src/faults.ts';
import type { PlanEvent } from '../../../src/plan/events.ts';
import type { ReadPlan } from '../../../src/service/read-plan.ts';
import type { PlanService } from '../../../src/service/service.ts';
import { until } from '../../support/world.ts';
import { AT, fakeCli, ID, view } from '../fake-cli.ts';

/** A terminal that remembers what was drawn on it, and types what it is told to. */
function fakeTerminal(hasKeys = true) {
  const frames: string[][] = [];
  let user: TerminalUser | undefined;
  let closed = 0;
  const screen: LiveScreen = {
    columns: 80,
    rows: 24,
    hasKeys,
    draw: (rows) => void frames.push(rows),
    print() {},
    close: () => void closed++,
  };
  const terminal: Terminal = {
    async open(given) {
      user = given;
      return screen;
    },
  };
  const type = (keys: string) => {
    for (const text of keys)
      user!.key(text === '⏎' ? { name: 'return', text: '', ctrl: false } : { name: text, text, ctrl: false });
  };
  return { terminal, frames, type, closed: () => closed, last: () => (frames.at(-1) ?? []).join('\n') };
}

const question = {
  id: 'ok.1',
  task: 'ok',
  kind: 'approve',
  prompt: 'Go?',
  options: ['go'],
  opened_at: AT,
  expires_at: null,
};
const task = { id: 'ok', kind: 'approve', attempt: 1, max_attempts: 1, needs: [] };
const asking = (): ReadPlan =>
  view({
    state: { status: 'awaiting_input' },
    questions: [question],
    tasks: [{ ...task, status: 'waiting' }],
    allowed_actions: ['pause', 'stop', 'answer'],
  });

/** `holdpoint watch` of one plan at a terminal. */
function watching(more: Partial<PlanService> = {}, hasKeys = true) {
  const events: PlanEvent[] = [
    { seq: 1, at: 0, type: 'PlanCreated', by: 'Ada' },
    { seq: 2, at: 0, type: 'QuestionOpened', task: 'ok', question: 'ok.1', message: 'Go?' },
  ];
  const write = (event: Omit<PlanEvent, 'seq'>) => events.push({ seq: events.length + 1, ...event });
  const end = () =>
    write({ at: 5_000, type: 'PlanStateChanged', state: { status: 'completed' }, error: null, totals: TOTALS });
  let now = asking();
  const commands: unknown[] = [];
  const screen = fakeTerminal(hasKeys);
  const service: Partial<PlanService> = {
    read: async () => now,
    events: async (_, __, after) => events.slice(after),
    async command(_, __, name, request) {
      commands.push([name, request]);
      return { request_id: 'r', result: 'done' };
    },
    ...more,
  };
  const fake = fakeCli({ service });
  fake.cli.terminal = screen.terminal;
  const change = (newer: Partial<ReadPlan>) => {
    now = { ...now, ...newer };
  };
  return {
    ...fake,
    ...screen,
    commands,
    write,
    end,
    change,
    drawn: () => until('it is drawn', () => screen.frames.length > 0),
  };
}
const TOTALS = {
  pending: 0,
  running: 0,
  waiting: 0,
  backing_off: 0,
  succeeded: 1,
  failed: 0,
  skipped: 0,
  cancelled: 0,
};

test('a plan is drawn until it ends, its news above; then the terminal is given back and the result told', async () => {
  const { run, out, last, drawn, write, end, change, closed } = watching();
  const done = run('watch', ID);
  await drawn();
  expect(last()).toContain('Go?');
  change({ questions: [], tasks: [{ ...task, status: 'succeeded' }] });
  write({ at: 4_000, type: 'QuestionAnswered', task: 'ok', question: 'ok.1', by: 'Bob', message: 'go' });
  await until('the question is gone', () => !last().includes('Go?'));
  end();
  expect(await done).toBe(0);
  expect(closed()).toBeGreaterThan(0);
  expect(out.slice(-2)).toEqual(['[0/1] ok  answered by Bob: go', 'completed 1 task in 5s']);
});

test('an answer that is typed is sent, with what was chosen', async () => {
  const { run, commands, type, drawn, end } = watching();
  const done = run('watch', ID);
  await drawn();
  type('a1⏎fine⏎');
  await until('it is sent', () => commands.length > 0);
  end();
  await done;
  expect(commands).toEqual([['answer', { question: 'ok.1', choice: 'go', comment: 'fine' }]]);
});

test('an answer that the plan refuses is asked again, with the reason', async () => {
  const command = async () => {
    throw new Fault('ANSWER_INVALID', 'choice: "go" is not one of "stop"');
  };
  const { run, type, drawn, last, end } = watching({ command });
  const done = run('watch', ID);
  await drawn();
  type('a⏎⏎');
  await until('the reason is shown', () => last().includes('"go" is not one of "stop"'));
  end();
  expect(await done).toBe(0);
});

test('a command that the plan refuses is told, and the view goes on', async () => {
  const command = async () => {
    throw new Fault('PLAN_INVALID_STATE', 'cannot pause a plan that is paused');
  };
  const { run, type, drawn, last, end } = watching({ command });
  const done = run('watch', ID);
  await drawn();
  type('p');
  await until('it is told', () => last().includes('cannot pause a plan that is paused'));
  end();
  expect(await done).toBe(0);
});

test.each([
  ['q', 'q'],
  ['Ctrl+C', undefined],
])('%s gives the terminal back, leaves, and says that the plan goes on', async (_, key) => {
  const { run, err, type, ctrlC, drawn, closed, frames } = watching();
  const done = run('watch', ID);
  await drawn();
  if (key) type(key);
  else ctrlC();
  expect(await done).toBe(130);
  expect(closed()).toBeGreaterThan(0);
  expect(err.at(-1)).toBe(`the plan goes on in the engine; watch it: holdpoint watch ${ID}`);
  const drawnThen = frames.length;
  await delay(600);
  expect(frames).toHaveLength(drawnThen);
});

test('an error gives the terminal back too', async () => {
  let asked = 0;
  const events = async (): Promise<PlanEvent[]> => {
    asked += 1;
    if (asked > 2) throw new Fault('PLAN_FORBIDDEN', 'you may not read this plan');
    return [];
  };
  const { run, err, closed } = watching({ events });
  expect(await run('watch', ID)).toBe(4);
  expect({ err: err.at(-1), closed: closed() > 0 }).toEqual({
    err: 'holdpoint: you may not read this plan',
    closed: true,
  });
});

test.each([['--plain'], ['--json']])('%s draws nothing', async (option) => {
  const { run, frames, end, out } = watching();
  end();
  expect(await run('watch', ID, option)).toBe(0);
  expect(frames).toEqual([]);
  expect(out.join('\n')).toContain('ok.1');
});

test('without keys the view says by which command a question is answered', async () => {
  const { run, drawn, last, end } = watching({}, false);
  const done = run('watch', ID);
  await drawn();
  expect(last()).toContain(`holdpoint answer ${ID.slice(0, 8)} ok.1 go`);
  end();
  await done;
});

test('the plan is not asked for its view more than four times a second, however much happens', async () => {
  let reads = 0;
  const { run, write, end, drawn } = watching({
    async read() {
      reads += 1;
      return view({ ...asking(), tasks: [{ ...task, kind: 'run', status: 'running' }] });
    },
  });
  const done = run('watch', ID);
  await drawn();
  const begun = performance.now();
  for (let i = 0; i < 10; i++) {
    write({ at: 1_000, type: 'TaskSucceeded', task: 'ok', attempt: i });
    await delay(100);
  }
  const most = 3 + ((performance.now() - begun) / 1_000) * 4;
  expect(reads).toBeLessThanOrEqual(most);
  end();
  await done;
});
