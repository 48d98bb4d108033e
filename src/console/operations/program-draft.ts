import { useEffect, useState } from 'react';
import type { SessionPlace } from './places.ts';

const keyOf = ({ hash, surface, session }: SessionPlace): string => `holdpoint.program ${hash} ${surface} ${session}`;

/** The program that somebody writes in a session, which outlives a look at something else and a reload of the page. */
export function useProgramDraft(place: SessionPlace): [string, (text: string) => void] {
  const key = keyOf(place);
  const [text, setText] = useState(() => read(key));
  useEffect(() => write(key, text), [key, text]);
  return [text, setText];
}

function read(key: string): string {
  try {
    return sessionStorage.getItem(key) ?? '';
  } catch {
    return '';
  }
}

function write(key: string, text: string): void {
  try {
    if (text === '') sessionStorage.removeItem(key);
    else sessionStorage.setItem(key, text);
  } catch {
    // Storage may be forbidden, or full: the draft then lasts as long as the page.
  }
}
