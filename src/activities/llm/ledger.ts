import type { AttemptInput } from '../../contract/payloads.ts';
import type { Budget } from '../../plan/attempt.ts';
import type { Warning } from '../../plan/ledger.ts';

/** What a call of a model is counted against, besides the organisation's day. */
export interface LlmScopes {
  /** The plan that people know, also for calls of its sub-plans and maps. */
  plan: string;
  chat?: string;
  project?: string;
  /** What the plan may spend, as its file says; what was raised since is known to the ledger. */
  budget?: Budget;
}

/** What a call may cost at most, by estimate. Tokens are whole; money is in the currency of the model profiles. */
export interface LlmReservation {
  /** Of this call alone: `${callsOf(input)}#${attempt}.${dispatch}.${n}`. Asked again with the same id, it is the same reservation. */
  id: string;
  tokens: number;
  cost: number;
  scopes: LlmScopes;
}

/** A limit of the plan (its budget), of the chat, of the organisation's day, or of the project. */
export const LEDGER_LIMITS = ['plan', 'chat', 'day_tokens', 'day_cost', 'project'] as const;
export type LedgerLimit = (typeof LEDGER_LIMITS)[number];

/** `spent`: what is settled and reserved by others already; `needed`: what this call asked for. */
export type LlmReserved =
  | { granted: true }
  | { granted: false; limit: LedgerLimit; spent: number; max: number; needed: number; unit: 'tokens' | 'cost' };

/** What a call came to. Told as often as it takes; counted once per id. Without a reservation it counts as well. */
export interface LlmSettlement {
  id: string;
  /** In and out together; of a call that failed or was cut off: what came. */
  tokens: number;
  input_tokens: number;
  output_tokens: number;
  cost: number;
  /** The provider did not say; counted from what was sent and received. */
  estimated?: true;
  scopes: LlmScopes;
}

/** Where calls of models are counted, before and after. Both reject only when their answer cannot be had. */
export interface LlmLedger {
  reserve(reservation: LlmReservation, signal?: AbortSignal): Promise<LlmReserved>;
  settle(settlement: LlmSettlement): Promise<void>;
}

/** The ledger in which the calls of an attempt are counted; it tells when most of a limit is spent. */
export type LedgerOf = (input: AttemptInput, onWarning: (warning: Warning) => void) => LlmLedger;

/** Where nothing is limited. */
export const NO_LEDGER: LlmLedger = {
  reserve: async () => ({ granted: true }),
  settle: async () => {},
};

/** What an attempt's calls are counted against. */
export const scopesOf = ({ plan_id, charged_to }: AttemptInput): LlmScopes => ({ plan: plan_id, ...charged_to });

/** What the calls of a task are known by: a next run counts its attempts anew, and its calls are others. */
export const callsOf = ({ idempotency_key, run }: AttemptInput): string =>
  run > 1 ? `${idempotency_key}@${run}` : idempotency_key;
