import { lstat, readFile, rm, writeFile } from 'node:fs/promises';
import type { Json, JsonObject } from '../../plan/json.ts';
import { NAME, NAME_RULE } from '../../plan/schema.ts';
import { TaskFailure } from '../kind.ts';
import { NotJson, parseJsonText } from './json-text.ts';

/** The environment variable that names the file a script writes its outputs to. */
export const OUTPUT_VARIABLE = 'HOLDPOINT_OUTPUT';

const MOST_BYTES = 50 * 1_024 * 1_024;
/** References to so many stored values still fit into one payload. */
const MOST_OUTPUTS = 256;
/** What the kind itself gives. */
const RESERVED = ['stdout', 'exit_code', 'files'];

/** An empty file of this attempt's own, whatever was there before. */
export async function freshOutputFile(path: string): Promise<void> {
  await rm(path, { recursive: true, force: true });
  await writeFile(path, '', { mode: 0o600, flag: 'wx' });
}

/** The outputs that a script wrote. What it wrote wrongly it would write again, so the failure is final. */
export async function readOutputFile(path: string): Promise<JsonObject> {
  const found = await lstat(path).catch(() => undefined);
  if (!found) return {};
  if (!found.isFile()) refuse('is not a file any more');
  if (found.size > MOST_BYTES) refuse(`holds ${found.size} bytes; all outputs together have at most ${MOST_BYTES}`);
  return parseOutputs(await readFile(path, 'utf8'));
}

/** `name=value` lines and `name<<DELIMITER` blocks; or, when it begins with `{`, one JSON object. */
export function parseOutputs(text: string): JsonObject {
  const entries = /^\s*\{/.test(text) ? fromJson(text) : [...fromLines(text)];
  const outputs = new Map<string, Json>();
  for (const { name, value, where } of entries) {
    if (!NAME.test(name))
      refuse(`${where}${JSON.stringify(name.slice(0, 70))} cannot be an output; names have ${NAME_RULE}`);
    if (RESERVED.includes(name)) refuse(`${where}${name} is an output that every run task has; use another name`);
    outputs.set(name, value);
  }
  if (outputs.size > MOST_OUTPUTS) refuse(`has ${outputs.size} outputs; a task has at most ${MOST_OUTPUTS}`);
  return Object.fromEntries(outputs);
}

interface Entry {
  name: string;
  value: Json;
  /** `line 3: `, or nothing. */
  where: string;
}

function fromJson(text: string): Entry[] {
  try {
    return Object.entries(parseJsonText(text) as JsonObject).map(([name, value]) => ({ name, value, where: '' }));
  } catch (error) {
    if (error instanceof NotJson) refuse(`begins with "{" and is not JSON: ${error.message}`);
    throw error;
  }
}

/** Line by line from where it stands: splitting the text at once would take many times its size in memory. */
function* fromLines(text: string): Iterable<Entry> {
  const lines = readLines(text);
  for (let line = lines.next(); line; line = lines.next()) {
    if (line.text === '') continue;
    const where = `line ${line.number}: `;
    const [, name, sign, rest] = /^(.*?)(=|<<)(.*)$/s.exec(line.text) ?? [];
    if (name === undefined || rest === undefined) refuse(`${where}write name=value, or name<<END, the lines and END`);
    if (sign === '=') {
      yield { name, value: rest, where };
      continue;
    }
    if (rest === '') refuse(`${where}the word that ends the block is missing after "<<"`);
    const start = line.end;
    let last = lines.next();
    while (last && last.text !== rest) last = lines.next();
    if (!last) refuse(`${where}no line ${JSON.stringify(rest.slice(0, 70))} ends the block`);
    yield { name, value: withoutLineBreak(text.slice(start, last.start)), where };
  }
}

function readLines(text: string) {
  let start = 0;
  let number = 0;
  return {
    next() {
      if (start >= text.length) return undefined;
      const lineBreak = text.indexOf('\n', start);
      const end = lineBreak === -1 ? text.length : lineBreak + 1;
      const line = { text: withoutLineBreak(text.slice(start, end)).replace(/\r$/, ''), start, end, number: ++number };
      start = end;
      return line;
    },
  };
}

const withoutLineBreak = (text: string): string => text.replace(/\r?\n$/, '');

function refuse(what: string): never {
  throw new TaskFailure(`$${OUTPUT_VARIABLE}: ${what}`, { final: 'invalid' });
}
