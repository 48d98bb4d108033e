import { setTimeout as delay } from 'node:timers/promises';
import type { Client } from '@temporalio/client';
import type { LlmLedger, LlmReserved } from '../../activities/llm/ledger.ts';
import type { LedgerEntries, LedgerEntry } from '../../contract/ledger-payloads.ts';
import { LEDGER_ENTRIES } from '../../contract/names.ts';
import { Fault } from '../../faults.ts';
import type { Reserved, Warning } from '../../plan/ledger.ts';
import { askLedger, signalLedger } from './signal.ts';
import { type Untold, untoldSettlements } from './untold.ts';

/** Told at once at most: each is small, and so is an answer of so many. */
const MOST_AT_ONCE = 500;
/** How long one that cannot be told is tried again: no attempt fails because the server is busy. It has its own time-out. */
const PATIENCE_MS = 300_000;
const PAUSE_MS = 250;
/** How long a settlement that is kept waits for the next reservation, to be told together with it. */
const COMPANY_MS = 50;
/** When one that is kept, and could not be told, is told again. */
const AGAIN_MS = 5_000;
/** How long a reader waits for what is to be told. */
const READER_MS = 2_000;

interface Waiting {
  entry: LedgerEntry;
  done(outcome: Reserved | null): void;
  failed(error: unknown): void;
}
interface Queue {
  waiting: Waiting[];
  sending: boolean;
  /** Something of it does not wait for company. */
  soon: boolean;
  company?: NodeJS.Timeout | undefined;
  /** The end of what was told last, and with that of all before. */
  last: Promise<unknown>;
}

/**
 * Tells the ledgers of organisations what calls of models may cost and came to. What is told while something is under way goes
 * out together with what comes next, in the order in which it was told. `folder` keeps what the ledgers have not been told yet.
 */
export function ledgerEntries(client: Client, folder: string) {
  const queues = new Map<string, Queue>();
  const untold = untoldSettlements(folder);
  const begun = tellLeft();
  here.add(toldBy);

  function tell(orgId: string, entry: LedgerEntry, soon = true): Promise<Reserved | null> {
    const queue = queues.get(orgId) ?? { waiting: [], sending: false, soon: false, last: Promise.resolve() };
    queues.set(orgId, queue);
    const told = new Promise<Reserved | null>((done, failed) => {
      queue.waiting.push({ entry, done, failed });
    });
    queue.last = told;
    queue.soon ||= soon;
    if (soon) void send(orgId, queue);
    else inCompany(orgId, queue);
    return told;
  }

  function inCompany(orgId: string, queue: Queue): void {
    queue.company ??= setTimeout(() => void send(orgId, queue), COMPANY_MS);
  }

  async function send(orgId: string, queue: Queue): Promise<void> {
    if (queue.sending) return;
    queue.sending = true;
    do {
      clearTimeout(queue.company);
      queue.company = undefined;
      const batch = queue.waiting.splice(0, MOST_AT_ONCE);
      queue.soon = queue.waiting.length > 0;
      await sent(orgId, { schema_version: 1, entries: batch.map(({ entry }) => entry) }).then(
        (outcomes) => {
          for (const [i, { done }] of batch.entries()) done(outcomes[i] ?? null);
        },
        (error: unknown) => {
          for (const { failed } of batch) failed(error);
        },
      );
    } while (queue.soon);
    queue.sending = false;
    if (queue.waiting.length > 0) inCompany(orgId, queue);
    else queues.delete(orgId);
  }

  /** Told again, it counts once. */
  async function sent(orgId: string, entries: LedgerEntries): Promise<(Reserved | null)[]> {
    const tellThem = entries.entries.some((entry) => 'reserve' in entry) ? askLedger(client, orgId) : only(orgId);
    const end = Date.now() + PATIENCE_MS;
    for (;;) {
      try {
        return await tellThem(entries);
      } catch (error) {
        if (Date.now() + PAUSE_MS > end) throw error;
        await delay(PAUSE_MS);
      }
    }
  }

  /** Taken also while no worker works. */
  const only = (orgId: string) => async (entries: LedgerEntries) => {
    await signalLedger(client, orgId, LEDGER_ENTRIES, entries);
    return [];
  };

  async function tellLeft(): Promise<void> {
    for (const one of await untold.left()) tellKept(one);
  }

  /** It is kept until it is told. */
  function tellKept({ org_id, settle }: Untold): void {
    const again = () => void setTimeout(() => tellKept({ org_id, settle }), AGAIN_MS).unref();
    void tell(org_id, { settle }, false).then(() => untold.told(settle.id).catch(() => {}), again);
  }

  async function toldBy(orgId: string): Promise<void> {
    await begun;
    const queue = queues.get(orgId);
    if (!queue) return;
    const { last } = queue;
    queue.soon = true;
    void send(orgId, queue);
    await Promise.race([last.catch(() => {}), delay(READER_MS, undefined, { ref: false })]);
  }

  /** The ledger of an organisation, for one attempt; `onWarning` is told when most of a limit is spent. */
  return (org_id: string, onWarning: (warning: Warning) => void = () => {}): LlmLedger => ({
    async reserve({ id, tokens, cost, scopes }, signal): Promise<LlmReserved> {
      signal?.throwIfAborted();
      // What an engine before this one left untold comes first.
      const answered = begun.then(() => tell(org_id, { reserve: { id, tokens, cost, scopes } }));
      const outcome = await (signal ? Promise.race([answered, aborted(signal)]) : answered);
      if (!outcome) throw new Fault('ENGINE_UNAVAILABLE', 'the ledger of what models cost has forgotten this call');
      const { granted, ...more } = outcome;
      if (!granted) return { granted, ...more } as LlmReserved;
      for (const warning of (more as { warnings?: Warning[] }).warnings ?? []) onWarning(warning);
      return { granted };
    },
    async settle({ id, tokens, cost, scopes }) {
      const settle = { id, tokens, cost, scopes };
      const isKept = await untold.keep({ org_id, settle }).then(
        () => true,
        () => false,
      );
      if (isKept) tellKept({ org_id, settle });
      else await tell(org_id, { settle });
    },
  });
}

/** Those of this process. */
const here = new Set<(orgId: string) => Promise<void>>();

/** Whoever reads a ledger reads what was settled in this process before. */
export async function toldByNow(orgId: string): Promise<void> {
  await Promise.all(Array.from(here, (toldBy) => toldBy(orgId)));
}

const aborted = (signal: AbortSignal): Promise<never> =>
  new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason), { once: true }));
