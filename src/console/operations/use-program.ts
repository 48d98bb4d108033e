import { useRef, useState } from 'react';
import { call, requestId } from '../api/client.ts';
import { isPassing } from '../api/queries.ts';
import type { ProgramAnswer } from '../api/types.ts';
import { type SessionPlace, sessionPath } from './places.ts';
import { readOperationsAgain } from './queries.ts';

/** A dry run, a run whose rows are waited for, and one in the background. */
export type Deed = 'plan' | 'now' | 'background';

/** What became of a program, and of which one. */
export interface Outcome {
  text: string;
  deed: Deed;
  answer?: ProgramAnswer;
  error?: unknown;
}

const HOW: Record<Deed, object> = { plan: { mode: 'plan' }, now: { wait: true }, background: { wait: false } };

/** Runs programs in a session, one at a time. */
export function useProgram(place: SessionPlace) {
  const [busy, setBusy] = useState<Deed>();
  const [outcome, setOutcome] = useState<Outcome>();
  const [dry, setDry] = useState<Outcome>();
  // The same again after an answer that was lost is the same run.
  const lost = useRef<{ of: string; request_id: string }>(undefined);

  const run = async (text: string, deed: Deed) => {
    if (busy !== undefined) return;
    setBusy(deed);
    setOutcome(undefined);
    const token = deed === 'plan' || dry?.text !== text ? undefined : dry.answer?._meta.plasm.plan_commit_ref;
    const of = JSON.stringify([text, deed]);
    if (lost.current?.of !== of) lost.current = { of, request_id: requestId() };
    const { request_id } = lost.current;
    const body = { program: text, ...HOW[deed], request_id, ...(token !== undefined && { plan_commit_ref: token }) };
    try {
      const answer = await call<ProgramAnswer>('POST', sessionPath(place), { body });
      lost.current = undefined;
      // Its token holds on when the program is run, also more than once.
      if (deed === 'plan') setDry({ text, deed, answer });
      else setOutcome({ text, deed, answer });
    } catch (error) {
      if (!isPassing(error)) lost.current = undefined;
      if (deed === 'plan') setDry(undefined);
      setOutcome({ text, deed, error });
    } finally {
      if (deed !== 'plan') await readOperationsAgain(place).catch(() => {});
      setBusy(undefined);
    }
  };
  return { run, busy, outcome, dry };
}
