import type { LogLine } from './log-buffer.ts';

export interface Found {
  /** Place in the lines that were searched. */
  line: number;
  from: number;
  to: number;
}

/** More are not counted: nobody goes through them one by one. */
export const MOST_FOUND = 10_000;

/** Where a text stands, in small letters or large. */
export function find(lines: readonly LogLine[], text: string): Found[] {
  if (text === '') return [];
  const pattern = new RegExp(text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'), 'giu');
  const found: Found[] = [];
  for (const [line, { text: written }] of lines.entries())
    for (const { index, 0: part } of written.matchAll(pattern)) {
      found.push({ line, from: index, to: index + part.length });
      if (found.length >= MOST_FOUND) return found;
    }
  return found;
}
