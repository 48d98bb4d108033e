import { setTimeout as delay } from 'node:timers/promises';
import type { Client } from '@temporalio/client';
import type { LlmLedger, LlmReserved } from '../../activities/llm/ledger.ts';
import { LEDGER_ENTRIES, LEDGER_QUERIES, ledgerId } from '../../contract/names.ts';
import type { LedgerEntries, LedgerEntry } from '../../contract/payloads.ts';
import { Fault } from '../../faults.ts';
import type { Reserved, Warning } from '../../plan/ledger.ts';
import { ask, NO_ANSWER, NOT_FOUND } from '../queries.ts';
import { signalLedger } from './signal.ts';

/** In one Signal at most: each is small, and so is an answer of so many. */
const MOST_AT_ONCE = 500;
/** How long one that cannot be told is tried again: no attempt fails because the server is busy. It has its own time-out. */
const PATIENCE_MS = 300_000;
const PAUSE_MS = 250;

interface Waiting {
  entry: LedgerEntry;
  done(): void;
  failed(error: unknown): void;
}

/**
 * Tells the ledgers of organisations what calls of models may cost and came to. What is told while a Signal is under way goes
 * out together with the next, in the order in which it was told.
 */
export function ledgerEntries(client: Client) {
  const queues = new Map<string, Waiting[]>();

  function tell(orgId: string, entry: LedgerEntry): Promise<void> {
    return new Promise((done, failed) => {
      const waiting = { entry, done, failed };
      const queue = queues.get(orgId);
      if (queue) return void queue.push(waiting);
      queues.set(orgId, [waiting]);
      void send(orgId);
    });
  }

  async function send(orgId: string): Promise<void> {
    const queue = queues.get(orgId)!;
    while (queue.length > 0) {
      const batch = queue.splice(0, MOST_AT_ONCE);
      await sent(orgId, { schema_version: 1, entries: batch.map(({ entry }) => entry) }).then(
        () => {
          for (const { done } of batch) done();
        },
        (error: unknown) => {
          for (const { failed } of batch) failed(error);
        },
      );
    }
    queues.delete(orgId);
  }

  /** Told again, it counts once. */
  async function sent(orgId: string, entries: LedgerEntries): Promise<void> {
    const end = Date.now() + PATIENCE_MS;
    for (;;) {
      try {
        return await signalLedger(client, orgId, LEDGER_ENTRIES, entries);
      } catch (error) {
        if (Date.now() + PAUSE_MS > end) throw error;
        await delay(PAUSE_MS);
      }
    }
  }

  const outcomeOf = togetherAsked(client);

  /** The ledger of an organisation, for one attempt; `onWarning` is told when most of a limit is spent. */
  return (orgId: string, onWarning: (warning: Warning) => void = () => {}): LlmLedger => ({
    async reserve({ id, tokens, cost, scopes }, signal): Promise<LlmReserved> {
      signal?.throwIfAborted();
      const answered = tell(orgId, { reserve: { id, tokens, cost, scopes } }).then(() => outcomeOf(orgId, id));
      const { granted, ...more } = await (signal ? Promise.race([answered, aborted(signal)]) : answered);
      if (!granted) return { granted, ...more } as LlmReserved;
      for (const warning of (more as { warnings?: Warning[] }).warnings ?? []) onWarning(warning);
      return { granted };
    },
    async settle({ id, tokens, cost, scopes }) {
      await tell(orgId, { settle: { id, tokens, cost, scopes } });
    },
  });
}

/** Those who ask at the same moment are answered by one Query. */
function togetherAsked(client: Client) {
  const asking = new Map<string, { ids: string[]; answers: Promise<(Reserved | null)[]> }>();

  async function answersFor(orgId: string, ids: string[]): Promise<(Reserved | null)[]> {
    await Promise.resolve();
    asking.delete(orgId);
    const patience = { deadlineMs: 2_000, totalMs: PATIENCE_MS };
    const answers = await ask<(Reserved | null)[]>(
      client,
      { id: ledgerId(orgId) },
      LEDGER_QUERIES.outcomes,
      ids,
      patience,
    );
    if (answers === NO_ANSWER || answers === NOT_FOUND)
      throw new Fault('ENGINE_UNAVAILABLE', 'the ledger of what models cost does not answer');
    return answers;
  }

  return async (orgId: string, id: string): Promise<Reserved> => {
    let now = asking.get(orgId);
    if (!now) {
      const ids: string[] = [];
      now = { ids, answers: answersFor(orgId, ids) };
      asking.set(orgId, now);
    }
    const place = now.ids.push(id) - 1;
    const answer = (await now.answers)[place];
    if (!answer) throw new Fault('ENGINE_UNAVAILABLE', 'the ledger of what models cost has forgotten this call');
    return answer;
  };
}

const aborted = (signal: AbortSignal): Promise<never> =>
  new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason), { once: true }));
