import type { ReadPlan } from '../../service/read-plan.ts';
import type { Key } from '../terminal.ts';
import { type Dialog, openDialog, pressed, refusedDialog } from './dialog.ts';
import { actionFor } from './keys.ts';
import { type OpenItem, openItems } from './open-items.ts';

/** What somebody at the live view sees and is doing. */
export interface LiveState {
  view: ReadPlan;
  /** Whoever leaves interrupts the plan: it is a session of this process. */
  interrupts?: boolean;
  /** `watch` is looking on. */
  mode: 'watch' | 'help' | 'confirm stop' | { choose: number } | { answer: Dialog };
  /** Something that is told for some seconds. */
  notice?: { text: string; until: number };
}

/** What is to be done besides drawing anew. */
export type Effect =
  | { do: 'leave' }
  | { do: 'command'; name: 'pause' | 'resume' | 'stop' }
  | { do: 'answer'; dialog: Dialog };

export interface Step {
  state: LiveState;
  effect?: Effect;
}

const NOTICE_MS = 6_000;

export const noticed = (state: LiveState, text: string, now: number): LiveState => ({
  ...state,
  notice: { text, until: now + NOTICE_MS },
});

/** A newer view of the plan: what somebody else has settled meanwhile is no longer asked. */
export function seen(state: LiveState, view: ReadPlan, now: number): LiveState {
  const { mode } = state;
  const items = openItems(view);
  const next = { ...state, view };
  if (typeof mode === 'object' && 'choose' in mode)
    return items.length === 0
      ? { ...next, mode: 'watch' }
      : { ...next, mode: { choose: Math.min(mode.choose, items.length - 1) } };
  if (typeof mode !== 'object' || items.some(({ key }) => key === mode.answer.item.key)) return next;
  const closed: LiveState = { ...next, mode: 'watch' };
  return mode.answer.sending
    ? closed
    : noticed(closed, `${mode.answer.item.key}: ${settledBy(mode.answer.item, view)}`, now);
}

function settledBy({ task }: OpenItem, { tasks }: ReadPlan): string {
  const by = tasks.find(({ id }) => id === task)?.answer?.by;
  return by ? `answered by ${by}` : 'it is no longer open';
}

export function typed(state: LiveState, key: Key): Step {
  if (key.ctrl && key.name === 'c') return { state, effect: { do: 'leave' } };
  const { mode } = state;
  if (mode === 'watch') return typedAtPlan(state, key);
  if (mode === 'help') return { state: { ...state, mode: 'watch' } };
  if (mode === 'confirm stop') {
    const watch: LiveState = { ...state, mode: 'watch' };
    return key.text === 'y' ? { state: watch, effect: { do: 'command', name: 'stop' } } : { state: watch };
  }
  return 'choose' in mode ? typedAtChoice(state, mode.choose, key) : typedAtAnswer(state, mode.answer, key);
}

function typedAtPlan(state: LiveState, key: Key): Step {
  const action = key.ctrl ? undefined : actionFor(state.view, key.text);
  if (!action) return { state };
  const { does } = action;
  if (does === 'leave') return { state, effect: { do: 'leave' } };
  if (does === 'help') return { state: { ...state, mode: 'help' } };
  if (does === 'stop') return { state: { ...state, mode: 'confirm stop' } };
  if (does !== 'answer') return { state, effect: { do: 'command', name: does } };
  const [first, ...more] = openItems(state.view);
  return { state: { ...state, mode: more.length > 0 ? { choose: 0 } : { answer: openDialog(first!) } } };
}

function typedAtChoice(state: LiveState, at: number, key: Key): Step {
  const items = openItems(state.view);
  const choose = (i: number): Step => ({ state: { ...state, mode: { choose: (i + items.length) % items.length } } });
  if (key.name === 'escape' || key.text === 'l' || key.text === 'q') return { state: { ...state, mode: 'watch' } };
  if (key.name === 'up' || key.text === 'k') return choose(at - 1);
  if (key.name === 'down' || key.text === 'j') return choose(at + 1);
  const number = /^[1-9]$/.test(key.text) ? Number(key.text) - 1 : key.name === 'return' ? at : -1;
  const item = items[number];
  return { state: item ? { ...state, mode: { answer: openDialog(item) } } : state };
}

function typedAtAnswer(state: LiveState, dialog: Dialog, key: Key): Step {
  const next = pressed(dialog, key);
  if ('leave' in next) return { state: { ...state, mode: 'watch' } };
  if ('dialog' in next) return { state: { ...state, mode: { answer: next.dialog } } };
  return { state: { ...state, mode: { answer: next.send } }, effect: { do: 'answer', dialog: next.send } };
}

/** After the plan has refused an answer: the same question again, with the reason. */
export const refused = (state: LiveState, dialog: Dialog, problem: string): LiveState =>
  typeof state.mode === 'object' && 'answer' in state.mode && state.mode.answer.item.key === dialog.item.key
    ? { ...state, mode: { answer: refusedDialog(dialog, problem) } }
    : state;
