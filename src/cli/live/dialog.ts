import type { Json, JsonObject } from '../../plan/json.ts';
import type { Key } from '../terminal.ts';
import { edited, emptyLine, type Line, lineOf } from './line-edit.ts';
import type { OpenItem } from './open-items.ts';

/** Where somebody is who answers: at which field, with what typed or chosen. */
export interface Dialog {
  item: OpenItem;
  field: number;
  given: JsonObject;
  /** What was typed or chosen in each field before, so that one can come back to it. */
  lines: Record<string, Line>;
  chosen: Record<string, number>;
  problem?: string;
  /** The answer is on its way: no key counts. */
  sending?: true;
}

export type Pressed = { dialog: Dialog } | { send: Dialog } | { leave: true };

export const openDialog = (item: OpenItem): Dialog => ({ item, field: 0, given: {}, lines: {}, chosen: {} });

/** From the first field on again, with what was given kept, after the plan has refused the answer. */
export const refusedDialog = ({ sending: _, ...dialog }: Dialog, problem: string): Dialog => ({
  ...dialog,
  field: 0,
  given: {},
  problem,
});

export const fieldOf = ({ item, field }: Dialog) => item.fields[field]!;

/** What a key does to the dialog. */
export function pressed(dialog: Dialog, key: Key): Pressed {
  if (key.name === 'escape') return { leave: true };
  if (dialog.sending) return { dialog };
  if (key.name === 'tab' || (key.name === 'up' && !fieldOf(dialog).options)) return { dialog: back(dialog) };
  return fieldOf(dialog).options ? pressedAtOptions(dialog, key) : pressedAtText(dialog, key);
}

function pressedAtOptions(dialog: Dialog, key: Key): Pressed {
  const { name, options = [] } = fieldOf(dialog);
  const at = dialog.chosen[name] ?? 0;
  const choose = (i: number): Dialog => ({
    ...dialog,
    problem: undefined,
    chosen: { ...dialog.chosen, [name]: (i + options.length) % options.length },
  });
  if (key.name === 'up' || key.text === 'k') return { dialog: choose(at - 1) };
  if (key.name === 'down' || key.text === 'j') return { dialog: choose(at + 1) };
  if (key.name === 'return') return given(dialog, options[at]!.value);
  if (key.text === 'l') return { leave: true };
  const number = /^[1-9]$/.test(key.text) ? Number(key.text) - 1 : -1;
  if (number >= 0 && number < options.length) return { dialog: choose(number) };
  return { dialog };
}

function pressedAtText(dialog: Dialog, key: Key): Pressed {
  const field = fieldOf(dialog);
  const line = dialog.lines[field.name] ?? emptyLine;
  if (key.name !== 'return') {
    const lines = { ...dialog.lines, [field.name]: edited(line, key) };
    return { dialog: { ...dialog, lines, problem: undefined } };
  }
  const read = field.read(line.text);
  return 'problem' in read ? { dialog: { ...dialog, problem: read.problem } } : given(dialog, read.value);
}

/** On to the next field that applies, or to the plan. */
function given(dialog: Dialog, value: Json | undefined): Pressed {
  const { item, field } = dialog;
  const { [fieldOf(dialog).name]: _, ...before } = dialog.given;
  const now = { ...before, ...(value !== undefined && { [fieldOf(dialog).name]: value }) };
  const next = item.fields.findIndex(({ applies }, i) => i > field && (applies?.(now) ?? true));
  const moved: Dialog = { ...dialog, given: now, problem: undefined };
  return next < 0 ? { send: { ...moved, sending: true } } : { dialog: { ...moved, field: next } };
}

function back(dialog: Dialog): Dialog {
  const before = dialog.item.fields.findLastIndex(
    ({ applies }, i) => i < dialog.field && (applies?.(dialog.given) ?? true),
  );
  return before < 0 ? dialog : { ...dialog, field: before, problem: undefined };
}

/** A dialog in which the text of a field is typed already. */
export const withText = (dialog: Dialog, name: string, text: string): Dialog => ({
  ...dialog,
  lines: { ...dialog.lines, [name]: lineOf(text) },
});
