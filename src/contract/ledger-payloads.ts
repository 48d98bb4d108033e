import type { Budget } from '../plan/attempt.ts';
import type { CarriedLedger } from '../plan/carried-ledger.ts';
import type { BudgetChange, CallTold, Limits, Spent } from '../plan/ledger.ts';
import type { Packed } from './packed.ts';

/** As in `payloads.ts`: plain JSON, frozen by recorded histories. */

/** How a ledger's workflow begins. */
export interface LedgerInput {
  schema_version: 1;
  org_id: string;
  /** Set by Continue-As-New. */
  carried?: Packed<CarriedLedger>;
}
export type LedgerEntry = { reserve: CallTold } | { settle: CallTold };
export interface LedgerEntries {
  schema_version: 1;
  entries: LedgerEntry[];
}
export interface LedgerLimitsSet {
  schema_version: 1;
  /** Those that are not named stay. */
  limits: Partial<Limits>;
}
export interface LedgerBudgetSet {
  schema_version: 1;
  plan: string;
  budget: BudgetChange;
  /** What its file says. */
  file?: Budget;
}
/** `now`: whoever asks says when, for a query has no clock. */
export interface LedgerCheck extends Omit<CallTold, 'id'> {
  now: number;
}
export interface LedgerSeen {
  now: number;
  plan?: string;
  chat?: string;
  project?: string;
}
export interface LedgerView {
  limits: Limits;
  day: Spent & { date: string };
  /** `known`: its budget is; before its first call the ledger knows of none. */
  plan?: Spent & { budget: Budget; known: boolean };
  chat?: Spent;
  project?: Spent;
}
