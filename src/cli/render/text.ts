import { stripVTControlCharacters } from 'node:util';

/** Control characters, and those that turn the direction of what follows around. */
const STEERING = /[\p{Cc}\u200E\u200F\u202A-\u202E\u2066-\u2069]/gu;

/** Text that came from a plan or a command, as one line that cannot steer the terminal. */
export function oneLine(text: string, longest = 300): string {
  const flat = stripVTControlCharacters(text).replace(/\s+/g, ' ').replace(STEERING, '').trim();
  return flat.length > longest ? `${flat.slice(0, longest)}…` : flat;
}

/** The first lines of an output, its indentation kept, and how many more there are. */
export function firstLines(text: string, most: number): string[] {
  const lines = stripVTControlCharacters(text).trimEnd().split(/\r?\n/).map(printable);
  const shown = lines.slice(0, most);
  return lines.length > most ? [...shown, `… ${lines.length - most} more`] : shown;
}
const printable = (line: string): string => line.replaceAll('\t', '  ').replace(STEERING, '').slice(0, 200);

/** A word that bash reads as itself, whatever is in it; what would steer the terminal is written as escapes. */
export function shellWord(word: string): string {
  if (/^[\w./:@%+=,-]+$/.test(word)) return word;
  if (word.search(STEERING) < 0) return `'${word.replaceAll("'", `'\\''`)}'`;
  return `$'${word.replace(/['\\]/g, '\\$&').replace(STEERING, escaped)}'`;
}
const escaped = (character: string): string =>
  [...Buffer.from(character)].map((byte) => `\\x${byte.toString(16).padStart(2, '0')}`).join('');

/** A path as it can be shown. */
export const pathText = (path: string): string => path.replace(STEERING, escaped);

/** A moment in the reader's own time zone, to the second. */
export function localTime(when: string | number): string {
  const date = new Date(when);
  const two = (n: number) => String(n).padStart(2, '0');
  const day = [date.getFullYear(), date.getMonth() + 1, date.getDate()].map(two).join('-');
  return `${day} ${[date.getHours(), date.getMinutes(), date.getSeconds()].map(two).join(':')}`;
}

export const count = (n: number, what: string): string => `${n} ${what}${n === 1 ? '' : 's'}`;
