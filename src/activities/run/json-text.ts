import type { Json } from '../../plan/json.ts';
import { firstCharacters } from './characters.ts';

/** A text that is not JSON; the message says where it stops being so. */
export class NotJson extends Error {
  override readonly name = 'NotJson';
}

const SHOWN = 20;

/** Reads JSON. The parser of the platform does not always tell where the fault is. */
export function parseJsonText(text: string): Json {
  try {
    return JSON.parse(text) as Json;
  } catch {
    const at = firstFault(text);
    const before = text.slice(0, at);
    const line = before.split('\n').length;
    const found = text.slice(at, at + SHOWN + 1);
    const what =
      found === '' ? 'it ends too early' : `unexpected ${JSON.stringify(firstCharacters(found, SHOWN)).trim()}`;
    throw new NotJson(`line ${line}, column ${at - before.lastIndexOf('\n')}: ${what}`);
  }
}

/** Anything in JSON but strings and blanks. */
const TOKEN = /[{}[\],:]|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null/y;
const BLANKS = /[ \t\n\r]*/y;

/** The offset of the first token that cannot stand where it does; without recursion, for it may be nested deeply. */
function firstFault(text: string): number {
  const open: string[] = [];
  let wanted: 'value' | 'key' | 'colon' | 'comma' = 'value';
  let justOpened = false;
  for (let at = 0; ; ) {
    at = endOf(BLANKS, text, at);
    const end = text[at] === '"' ? endOfString(text, at) : endOf(TOKEN, text, at);
    const token = text[at] === '"' ? 'scalar' : text.slice(at, end);
    const closes: boolean = (wanted === 'comma' || justOpened) && token === open.at(-1);
    if (end === at) return at;
    if (closes) {
      open.pop();
      wanted = 'comma';
    } else if (wanted === 'value' && (token === '{' || token === '[')) open.push(token === '{' ? '}' : ']');
    else if (wanted === 'value' && !'{}[],:'.includes(token)) wanted = 'comma';
    else if (wanted === 'key' && token === 'scalar') wanted = 'colon';
    else if (wanted === 'colon' && token === ':') wanted = 'value';
    else if (wanted === 'comma' && token === ',' && open.length > 0) wanted = open.at(-1) === '}' ? 'key' : 'value';
    else return at;
    justOpened = !closes && (token === '{' || token === '[');
    if (justOpened) wanted = token === '{' ? 'key' : 'value';
    at = end;
  }
}

/** Where a match that begins here ends; here when there is none. */
function endOf(pattern: RegExp, text: string, at: number): number {
  pattern.lastIndex = at;
  return pattern.test(text) ? pattern.lastIndex : at;
}

/** Where the string that begins here ends; here when it is none. */
function endOfString(text: string, at: number): number {
  for (let i = at + 1; i < text.length; i++) {
    if (text[i] === '"') return i + 1;
    if (text[i]! < ' ') return at;
    if (text[i] === '\\') {
      const escaped = /^(?:["\\/bfnrt]|u[0-9a-fA-F]{4})/.exec(text.slice(i + 1, i + 6));
      if (!escaped) return at;
      i += escaped[0].length;
    }
  }
  return at;
}
