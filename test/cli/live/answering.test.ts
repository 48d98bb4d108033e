import pc from 'picocolors';
import { describe, expect, test } from 'vitest';
import { frame } from '../../../src/cli/live/frame.ts';
import { type Effect, type LiveState, refused, seen, typed } from '../../../src/cli/live/live-state.ts';
import { signsFor } from '../../../src/cli/live/signs.ts';
import type { Key } from '../../../src/cli/terminal.ts';
import type { ReadPlan } from '../../../src/service/read-plan.ts';
import { AT, view } from '../fake-cli.ts';

const NOW = Date.parse(AT);
const asked = { opened_at: AT, expires_at: null };
const ship = {
  ...asked,
  id: 'ship_it.1',
  task: 'ship_it',
  kind: 'approve',
  prompt: 'Ship?',
  options: ['ship', 'reject'],
};
const decide = {
  ...asked,
  id: 'test.1',
  task: 'test',
  kind: 'decision',
  prompt: 'test failed',
  options: ['retry', 'complete'],
};
const form = {
  type: 'object',
  required: ['count', 'notify', 'version'],
  properties: {
    version: { type: 'string', default: '1.0' },
    count: { type: 'integer', minimum: 1 },
    channel: { enum: ['beta', 'stable'], default: 'stable' },
    notify: { type: 'boolean' },
    note: { type: 'string' },
  },
};
const details = { ...asked, id: 'details.1', task: 'details', kind: 'input', prompt: 'Details?', options: [], form };

const NAMES: Record<string, string> = {
  '⏎': 'return',
  '↑': 'up',
  '↓': 'down',
  '⎋': 'escape',
  '⇥': 'tab',
  '⌫': 'backspace',
};
const keyOf = (text: string): Key => ({ name: NAMES[text] ?? text, text: NAMES[text] ? '' : text, ctrl: false });

/** What becomes of the state, and what is asked for, when these keys are pressed. */
function press(state: LiveState, keys: string) {
  const effects: Effect[] = [];
  let next = state;
  for (const key of keys) {
    const step = typed(next, keyOf(key));
    next = step.state;
    if (step.effect) effects.push(step.effect);
  }
  return {
    state: next,
    effects,
    sent: effects.flatMap((effect) =>
      effect.do === 'answer' ? [effect.dialog.item.command(effect.dialog.given)] : [],
    ),
  };
}
const watching = (more: Partial<ReadPlan>): LiveState => ({ view: view(more), mode: 'watch' });
const shown = (state: LiveState, hasKeys = true) =>
  frame(state, {
    columns: 79,
    rows: 23,
    now: NOW,
    colours: pc.createColors(false),
    signs: signsFor({}),
    self: 'holdpoint',
    hasKeys,
  });

describe('an answer is typed in place', () => {
  test.each<[string, ReadPlan['questions'], string, object]>([
    ['the first option', [ship], 'a⏎⏎', { question: 'ship_it.1', choice: 'ship' }],
    [
      'by arrows, with a comment',
      [ship],
      'a↓⏎too late⏎',
      { question: 'ship_it.1', choice: 'reject', comment: 'too late' },
    ],
    ['by its number', [ship], 'a2⏎⏎', { question: 'ship_it.1', choice: 'reject' }],
    ['upwards round the end', [ship], 'a↑⏎⏎', { question: 'ship_it.1', choice: 'reject' }],
    ['the second question', [ship, decide], 'a2⏎⏎', { question: 'test.1', choice: 'retry' }],
    ['with outputs', [decide], 'a↓⏎{"v":1}⏎⏎', { question: 'test.1', choice: 'complete', values: { v: 1 } }],
    ['without outputs', [decide], 'a↓⏎⏎⏎', { question: 'test.1', choice: 'complete' }],
    [
      'a form, its defaults taken',
      [details],
      'a⏎5⏎⏎⏎⏎⏎',
      { question: 'details.1', values: { count: 5, channel: 'stable', notify: true } },
    ],
    [
      'a form, every field',
      [details],
      'a2.0⏎12⌫⏎↓⏎↓⏎so⏎fine⏎',
      {
        question: 'details.1',
        values: { version: '2.0', count: 1, channel: 'beta', notify: false, note: 'so' },
        comment: 'fine',
      },
    ],
    [
      'after going back',
      [details],
      'a⏎5⏎⇥7⏎⏎⏎⏎⏎',
      { question: 'details.1', values: { count: 57, channel: 'stable', notify: true } },
    ],
  ])('%s', (_, questions, keys, request) => {
    expect(press(watching({ questions }), keys).sent).toEqual([{ name: 'answer', request }]);
  });

  test.each([
    ['a⏎abc⏎', /Expected "integer"/],
    ['a⏎0⏎', /0 is less than 1/],
    ['a⏎⏎', /it has to be given/],
  ])('what does not fit the form is told before anything is sent: %s', (keys, problem) => {
    const { state, effects } = press(watching({ questions: [details] }), keys);
    expect(effects).toEqual([]);
    expect(shown(state).join('\n')).toMatch(problem);
  });

  test('outputs that are no JSON object are told', () => {
    const { state } = press(watching({ questions: [decide] }), 'a↓⏎[1]⏎');
    expect(shown(state).join('\n')).toContain('write a JSON object');
  });

  test.each(['a⎋', 'al'])('%s leaves the question open', (keys) => {
    const { state, effects } = press(watching({ questions: [ship] }), keys);
    expect({ mode: state.mode, effects }).toEqual({ mode: 'watch', effects: [] });
  });

  test('a refusal is shown, and the question asked again with what was typed', () => {
    const { state, effects } = press(watching({ questions: [details] }), 'a⏎5⏎⏎⏎⏎⏎');
    const dialog = effects.flatMap((effect) => (effect.do === 'answer' ? [effect.dialog] : []))[0]!;
    const again = refused(state, dialog, 'count: 5 is taken');
    expect(shown(again).join('\n')).toContain('count: 5 is taken');
    expect(press(again, '⏎⌫6⏎⏎⏎⏎⏎').sent).toMatchObject([{ request: { values: { count: 6 } } }]);
  });

  test('an answer that somebody else gives meanwhile closes the question, and is told', () => {
    const { state } = press(watching({ questions: [ship] }), 'a↓');
    const task = {
      id: 'ship_it',
      kind: 'approve',
      attempt: 1,
      max_attempts: 1,
      needs: [],
      answer: { by: 'Bob', at: AT },
    };
    const after = seen(state, view({ tasks: [{ ...task, status: 'succeeded' }] }), NOW);
    expect(after.mode).toBe('watch');
    expect(shown(after).join('\n')).toContain('question ship_it.1: answered by Bob');
  });
});

describe('keys', () => {
  const all = view({ allowed_actions: ['pause', 'resume', 'stop'] });
  test.each<[string, Effect[]]>([
    ['p', [{ do: 'command', name: 'pause' }]],
    ['r', [{ do: 'command', name: 'resume' }]],
    ['q', [{ do: 'leave' }]],
    ['s', []],
    ['sn', []],
    ['sy', [{ do: 'command', name: 'stop' }]],
    ['a', []],
    ['?p', []],
    ['x', []],
  ])('%s', (keys, effects) => expect(press({ view: all, mode: 'watch' }, keys).effects).toEqual(effects));

  test('do only what the plan takes now, and only that is shown', () => {
    const paused = watching({ allowed_actions: ['resume'] });
    expect(press(paused, 'ps').effects).toEqual([]);
    expect(shown(paused).at(-1)).toBe('r resume  ? help  q leave');
  });

  test('at a session of this process, leaving says that it interrupts', () => {
    const session = { ...watching({ allowed_actions: ['pause'] }), interrupts: true };
    expect(shown(session).at(-1)).toBe('p pause  ? help  q interrupt');
    expect(shown({ ...session, mode: 'help' }).join('\n')).toContain('q  interrupt the session, as Ctrl+C does');
  });

  test('Ctrl+C leaves wherever one is', () => {
    const { state } = press(watching({ questions: [details] }), 'a⏎5');
    expect(typed(state, { name: 'c', text: '\u0003', ctrl: true }).effect).toEqual({ do: 'leave' });
  });

  test.each<[string, Partial<ReadPlan>, object]>([
    ['a review', { waiting_for: [{ what: 'review', text: '' }] }, { name: 'approve', request: {} }],
    [
      'a held task',
      { waiting_for: [{ what: 'release', task: 'x', text: 'x' }] },
      { name: 'release', request: { task: 'x' } },
    ],
  ])('%s is let go on likewise', (_, more, sent) => expect(press(watching(more), 'a⏎').sent).toEqual([sent]));

  test('where none are heard, the commands are shown instead', () => {
    const rows = shown(watching({ questions: [ship] }), false);
    expect(rows.at(-1)).toMatch(/^ {2}holdpoint answer \S+ ship_it.1 ship {2}# or reject$/);
  });
});

test('a prompt of several lines is asked in its lines, as many as half of the screen has', () => {
  const long = { ...ship, prompt: `Ship?\n\n${Array.from({ length: 30 }, (_, i) => `line ${i}`).join('\n')}` };
  const at = press({ view: view({ questions: [long] }), mode: 'watch' }, 'a').state;
  const window = {
    columns: 60,
    rows: 24,
    now: NOW,
    colours: pc.createColors(false),
    signs: signsFor({}),
    self: 'h',
    hasKeys: true,
  };
  const rows = frame(at, window);
  const from = rows.findIndex((row) => row.includes('ship_it.1: Ship?'));
  expect(rows.slice(from + 1, from + 3)).toEqual(['  line 0', '  line 1']);
  expect(rows.slice(from)).toContain('  … 20 more lines');
  expect(rows.some((row) => row.includes('1. ship'))).toBe(true);
});
