import type { Budget } from './attempt.ts';
import {
  type BudgetChange,
  type Call,
  type Counter,
  emptyLedger,
  type Ledger,
  type Limits,
  NO_LIMITS,
  nothing,
  type Refused,
  SETTLED,
} from './ledger.ts';

/** A ledger as plain JSON, for the next history. */
export interface CarriedLedger {
  limits: Limits;
  counters: [string, Counter['spent'], Counter['warned']][];
  /** Those that are not settled; of the settled ones the ids say all. */
  calls: [string, Call][];
  settled: string[];
  refused: [string, Refused][];
  budgets: [string, { file: Budget; changed: BudgetChange }][];
}

export const carriedLedger = ({ limits, counters, calls, refused, budgets }: Ledger): CarriedLedger => ({
  limits,
  counters: Array.from(counters, ([key, { spent, warned }]) => [key, spent, warned]),
  calls: [...calls].filter(([, { status }]) => status !== 'settled'),
  settled: Array.from(calls).flatMap(([id, { status }]) => (status === 'settled' ? [id] : [])),
  refused: [...refused],
  budgets: [...budgets],
});

export function ledgerFrom({ limits, counters, calls, settled, refused, budgets }: CarriedLedger): Ledger {
  const ledger: Ledger = {
    ...emptyLedger(),
    limits: { ...NO_LIMITS, ...limits },
    counters: new Map(counters.map(([key, spent, warned]) => [key, { ...nothing(), spent, warned }])),
    calls: new Map([...settled.map((id) => [id, SETTLED] as const), ...calls]),
    refused: new Map(refused),
    budgets: new Map(budgets),
  };
  for (const [id, { status, keys, estimate }] of calls) {
    if (status !== 'open') continue;
    ledger.open.add(id);
    for (const key of keys) {
      const { open } = ledger.counters.get(key)!;
      open.tokens += estimate.tokens;
      open.cost += estimate.cost;
    }
  }
  return ledger;
}
