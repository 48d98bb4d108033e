import { useEffect, useState } from 'react';
import { call, Problem } from '../api/client.ts';
import type { DryRun } from '../api/types.ts';
import type { FileProblem } from './of-input.ts';

export interface Validation {
  /** The text and inputs that this is about; others are being looked at. */
  of: string;
  dryRun?: DryRun;
  problems: readonly FileProblem[];
  /** Why it could not be looked at, or is refused as a whole. */
  error?: Error;
}

const PAUSE_MS = 300;

/** What the API says of a file while it is written; the last word of those asked for is the one that counts. */
export function useValidation(text: string, inputs: Record<string, unknown>): Validation & { isCurrent: boolean } {
  const request = JSON.stringify({ plan: text, inputs });
  const [validation, setValidation] = useState<Validation>({ of: '', problems: [] });
  const [again, setAgain] = useState(0);
  useEffect(() => {
    if (text.trim() === '') return setValidation({ of: request, problems: [] });
    const controller = new AbortController();
    let later: ReturnType<typeof setTimeout> | undefined;
    const timer = setTimeout(async () => {
      const next = await validate(request, controller.signal);
      if (controller.signal.aborted) return;
      setValidation(next);
      if (next.error instanceof Problem && next.error.status === 0)
        later = setTimeout(() => setAgain(again + 1), 3_000);
    }, PAUSE_MS);
    return () => {
      clearTimeout(timer);
      clearTimeout(later);
      controller.abort();
    };
  }, [request, again]);
  return { ...validation, isCurrent: validation.of === request };
}

async function validate(request: string, signal: AbortSignal): Promise<Validation> {
  try {
    const ask = { body: request, type: 'application/json', signal };
    return { of: request, problems: [], dryRun: await call<DryRun>('POST', 'api/plans/validate', ask) };
  } catch (error) {
    if (error instanceof Problem && error.document.errors) return { of: request, problems: error.document.errors };
    return { of: request, problems: [], error: error as Error };
  }
}
