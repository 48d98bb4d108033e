import { useEffect, useState } from 'react';
import { keep, readKept } from '../ui/kept-text.ts';

export interface Draft {
  text: string;
  /** What was given for inputs, by name; those left alone are not here. */
  inputs: Record<string, unknown>;
  review: boolean;
  /** As the browser's field has it: a local time without its zone. */
  startAt: string;
  enrollmentKey: string;
  enrollmentPolicy: 'once' | 'multiple';
  /** By which key a request was sent: the same request again starts no second plan, also after the page was loaded again. */
  sent?: { request: string; key: string } | undefined;
}

const KEY = 'holdpoint.new-plan';
export const EMPTY: Draft = {
  text: '',
  inputs: {},
  review: false,
  startAt: '',
  enrollmentKey: '',
  enrollmentPolicy: 'once',
};

/** What somebody writes, which outlives a reload of the page. */
export function useDraft(): [Draft, (change: Partial<Draft>) => void] {
  const [draft, setDraft] = useState(readDraft);
  useEffect(() => keep(KEY, JSON.stringify(draft)), [draft]);
  return [draft, (change) => setDraft((old) => ({ ...old, ...change }))];
}

function readDraft(): Draft {
  try {
    return { ...EMPTY, ...(JSON.parse(readKept(KEY) ?? '{}') as Partial<Draft>) };
  } catch {
    return EMPTY;
  }
}

/** The plan was started: what comes next is another. */
export const forgetDraft = (): void => keep(KEY, undefined);
