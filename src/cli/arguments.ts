import { Fault } from '../faults.ts';
import type { JsonObject } from '../plan/json.ts';

/** One more `--input NAME=VALUE`; the last of a name counts. Values stay text: the plan says what they are read as. */
export const collectInput = (text: string, inputs: JsonObject = {}): JsonObject => ({
  ...inputs,
  ...pair('--input', text),
});

/** `NAME=VALUE`; the value may have more `=` in it, or be empty. Throws USAGE. */
function pair(what: string, text: string): JsonObject {
  const at = text.indexOf('=');
  if (at < 1) throw new Fault('USAGE', `${what} "${text}": write NAME=VALUE`);
  return Object.fromEntries([[text.slice(0, at), text.slice(at + 1)]]);
}

/** What was typed as an answer: one word is a choice, `NAME=VALUE` pairs are the values of a form. */
export function parseAnswer(words: string[]): { choice: string } | { values: JsonObject } {
  const [first, ...more] = words;
  if (first !== undefined && more.length === 0 && !/^[\w.-]+=/.test(first)) return { choice: first };
  return { values: Object.assign({}, ...words.map((word) => pair('the value', word))) as JsonObject };
}

export function parseCount(text: string): number {
  if (!/^\d+$/.test(text)) throw new Fault('USAGE', `"${text}" is not a whole number`);
  return Number(text);
}
