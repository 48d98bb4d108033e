import { useEffect, useRef, useState } from 'react';
import { call, planPath, requestId } from '../../api/client.ts';
import type { CommandAccepted } from '../../api/types.ts';
import type { Row } from '../merge.ts';
import { forEach, tried } from './pool.ts';
import { preview } from './preview.ts';
import type { Verdict } from './verdict.ts';
import type { BulkAction } from './words.ts';

/** What came of the command for one plan; `accepted`: it takes effect later. */
export interface Outcome {
  row: Row;
  is: 'done' | 'accepted' | 'failed';
  /** Why it failed, in the API's words. */
  why?: string;
}
export type Phase = 'reading' | 'asking' | 'sending' | 'over';

export interface Bulk {
  phase: Phase;
  verdicts: Verdict[];
  outcomes: Outcome[];
  send: () => void;
  /** Sends no more. */
  end: () => void;
}

/** A command for many plans: reads how each stands, and, once somebody says so, sends it to those that can take it. */
export function useBulk(action: BulkAction, rows: Row[]): Bulk {
  const [phase, setPhase] = useState<Phase>('reading');
  const [verdicts, setVerdicts] = useState<Verdict[]>([]);
  const [outcomes, setOutcomes] = useState<Outcome[]>([]);
  const sending = useRef(new AbortController());
  useEffect(() => {
    const reading = new AbortController();
    setVerdicts([]);
    const read = async (row: Row) => {
      const next = await tried(() => preview(action, row)).catch(
        (error: Error): Verdict => ({ row, is: 'unread', why: error.message }),
      );
      if (!reading.signal.aborted) setVerdicts((old) => [...old, next]);
    };
    void forEach(rows, reading.signal, read).then(() => !reading.signal.aborted && setPhase('asking'));
    return () => reading.abort();
  }, [action, rows]);
  const send = async () => {
    setPhase('sending');
    const ready = verdicts.filter(({ is }) => is === 'ready' || is === 'later');
    await forEach(ready, sending.current.signal, async ({ row }) => {
      const outcome = await sendTo(action, row);
      setOutcomes((old) => [...old, outcome]);
    });
    setPhase('over');
  };
  return { phase, verdicts, outcomes, send: () => void send(), end: () => sending.current.abort() };
}

async function sendTo(action: BulkAction, row: Row): Promise<Outcome> {
  const body = { request_id: requestId() };
  try {
    const answer = await tried(() =>
      call<CommandAccepted | undefined>('PUT', planPath(row.plan_id, `/${action}`), { body }),
    );
    return { row, is: answer === undefined ? 'done' : 'accepted' };
  } catch (error) {
    return { row, is: 'failed', why: (error as Error).message };
  }
}
