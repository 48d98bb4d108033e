import type { Key } from '../terminal.ts';

/** A line being typed; `at` counts characters as people see them. */
export interface Line {
  text: string;
  at: number;
}

export const emptyLine: Line = { text: '', at: 0 };
export const lineOf = (text: string): Line => ({ text, at: characters(text).length });

const LONGEST = 4_000;
const segmenter = new Intl.Segmenter();

/** Characters with what combines with them: a flag or a letter with its accents is one. */
export const characters = (text: string): string[] => Array.from(segmenter.segment(text), ({ segment }) => segment);

/** The line after a key; the same line when the key edits nothing. */
export function edited(line: Line, key: Key): Line {
  const { at } = line;
  const all = characters(line.text);
  const edit = EDITS[key.ctrl ? `ctrl+${key.name}` : key.name];
  if (edit) return edit(all, at);
  const typed = key.ctrl ? '' : key.text.replace(/\p{Cc}/gu, '');
  if (typed === '' || line.text.length + typed.length > LONGEST) return line;
  const before = all.slice(0, at).join('') + typed;
  return { text: before + all.slice(at).join(''), at: characters(before).length };
}

type Edit = (all: string[], at: number) => Line;

const moved = (all: string[], at: number): Line => ({ text: all.join(''), at: Math.max(0, Math.min(all.length, at)) });
const removed = (all: string[], from: number, to: number): Line =>
  moved([...all.slice(0, Math.max(0, from)), ...all.slice(to)], from);

const EDITS: Record<string, Edit> = {
  left: (all, at) => moved(all, at - 1),
  right: (all, at) => moved(all, at + 1),
  home: (all) => moved(all, 0),
  end: (all) => moved(all, all.length),
  'ctrl+a': (all) => moved(all, 0),
  'ctrl+e': (all) => moved(all, all.length),
  backspace: (all, at) => removed(all, at - 1, at),
  delete: (all, at) => removed(all, at, at + 1),
  'ctrl+u': (all, at) => removed(all, 0, at),
  'ctrl+k': (all, at) => removed(all, at, all.length),
  'ctrl+w': (all, at) => removed(all, wordBefore(all, at), at),
};

function wordBefore(all: string[], at: number): number {
  let from = at;
  while (from > 0 && all[from - 1] === ' ') from -= 1;
  while (from > 0 && all[from - 1] !== ' ') from -= 1;
  return from;
}
