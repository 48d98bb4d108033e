import { useEffect, useState } from 'react';

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
  useEffect(() => writeDraft(draft), [draft]);
  return [draft, (change) => setDraft((old) => ({ ...old, ...change }))];
}

function readDraft(): Draft {
  try {
    return { ...EMPTY, ...(JSON.parse(sessionStorage.getItem(KEY) ?? '{}') as Partial<Draft>) };
  } catch {
    return EMPTY;
  }
}

function writeDraft(draft: Draft): void {
  try {
    sessionStorage.setItem(KEY, JSON.stringify(draft));
  } catch {
    // Storage may be forbidden, or full: the draft then lasts as long as the page.
  }
}

/** The plan was started: what comes next is another. */
export function forgetDraft(): void {
  try {
    sessionStorage.removeItem(KEY);
  } catch {
    // Then there is nothing to forget.
  }
}
