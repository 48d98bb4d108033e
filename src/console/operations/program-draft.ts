import { useEffect, useState } from 'react';
import { keep, readKept } from '../ui/kept-text.ts';
import type { SessionPlace } from './places.ts';

const keyOf = ({ hash, surface, session }: SessionPlace): string => `holdpoint.program ${hash} ${surface} ${session}`;

/** The program that somebody writes in a session, which outlives a look at something else and a reload of the page. */
export function useProgramDraft(place: SessionPlace): [string, (text: string) => void] {
  const key = keyOf(place);
  const [text, setText] = useState(() => readKept(key) ?? '');
  useEffect(() => keep(key, text || undefined), [key, text]);
  return [text, setText];
}
