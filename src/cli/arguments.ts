import { Fault } from '../faults.ts';
import type { Json, JsonObject } from '../plan/json.ts';

/** One more `--input NAME=VALUE`; the last of a name counts. Values stay text: the plan says what they are read as. */
export const collectInput = (text: string, inputs: JsonObject = {}): JsonObject => ({
  ...inputs,
  ...pair('--input', text),
});

/** One more `--env NAME=VALUE`. */
export function collectVariable(text: string, variables: Record<string, string> = {}): Record<string, string> {
  const [[name, value]] = Object.entries(pair('--env', text)) as [[string, string]];
  if (!/^[A-Za-z_][A-Za-z0-9_]*$/.test(name))
    throw new Fault('USAGE', `--env "${text}": a variable is named with letters, digits and "_"`);
  return { ...variables, [name]: value };
}

/** One more of an option that may be repeated. */
export const collectText = (text: string, all: string[] = []): string[] => [...all, text];

/** `NAME=VALUE`; the value may have more `=` in it, or be empty. Throws USAGE. */
function pair(what: string, text: string): JsonObject {
  const at = text.indexOf('=');
  if (at < 1) throw new Fault('USAGE', `${what} "${text}": write NAME=VALUE`);
  return Object.fromEntries([[text.slice(0, at), text.slice(at + 1)]]);
}

/** What was typed as an answer: a word that is no `NAME=VALUE` is a choice, and such pairs are values. */
export function parseAnswer(words: string[]): { choice?: string; values?: JsonObject } {
  const [first, ...more] = words;
  const isChoice = first !== undefined && !/^[\w.-]+=/.test(first);
  const pairs = isChoice ? more : words;
  const values = Object.assign({}, ...pairs.map((word) => pair('the value', word))) as JsonObject;
  return { ...(isChoice && { choice: first }), ...(pairs.length > 0 && { values }) };
}

/** Typed values as what the form wants them to be; what cannot be read so stays text, and is refused for it. */
export function typedValues(values: JsonObject, form: JsonObject): JsonObject {
  const fields = (form.properties ?? {}) as Record<string, { type?: string; enum?: Json[] }>;
  const read = (text: Json, { type, enum: allowed }: { type?: string; enum?: Json[] } = {}): Json => {
    const meant = allowed?.find((value) => (typeof value === 'string' ? value : JSON.stringify(value)) === text);
    if (meant !== undefined) return meant;
    if (typeof text !== 'string' || type === undefined || type === 'string') return text;
    try {
      return JSON.parse(text) as Json;
    } catch {
      return text;
    }
  };
  return Object.fromEntries(Object.entries(values).map(([name, text]) => [name, read(text, fields[name])]));
}

export function parseCount(text: string): number {
  if (!/^\d+$/.test(text)) throw new Fault('USAGE', `"${text}" is not a whole number`);
  return Number(text);
}
