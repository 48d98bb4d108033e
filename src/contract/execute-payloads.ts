import type {
  CarriedSession,
  Counters,
  HandleKind,
  Known,
  SessionCommit,
  SessionOperation,
  SessionPage,
} from '../plan/execute-session.ts';
import type { JsonObject } from '../plan/json.ts';
import type { Packed } from './packed.ts';
import type { Principal } from './payloads.ts';

/** As in `payloads.ts`: plain JSON, frozen by recorded histories. */

/** What a catalog's workflow holds: the catalog, checked and made plain. */
export interface CatalogInput {
  schema_version: 1;
  org_id: string;
  prompt_hash: string;
  catalog: Packed<JsonObject>;
  principal: Principal;
}

/** How a session of programs begins. */
export interface ExecuteInput {
  schema_version: 1;
  org_id: string;
  prompt_hash: string;
  surface: string;
  name: string;
  /** Unused for so long, it ends. */
  ttl_ms: number;
  /** What it had given when it ended before. */
  counters: Counters;
  /** Set by Continue-As-New. */
  carried?: Packed<CarriedSession>;
}
/** What is told at the same moment goes out together. */
export interface ExecuteAccept {
  schema_version: 1;
  /** `at`: when it was asked for, in ms since the epoch. */
  operations: (Omit<SessionOperation, 'n' | 'at'> & { at?: number })[];
}
export interface ExecuteCommit extends Omit<SessionCommit, 'n' | 'expires_at'> {
  schema_version: 1;
  ttl_ms: number;
  /** When it was asked for, in ms since the epoch. */
  at?: number;
}
export interface ExecutePages {
  schema_version: 1;
  pages: Pick<SessionPage, 'key' | 'place'>[];
}
/** Requests, commits or keys of pages: each is answered by its number, null while it has none. */
export interface ExecuteGiven {
  what: HandleKind;
  keys: string[];
}
export interface ExecuteFind {
  operation?: number;
  commit?: number;
  page?: number;
}
/** `ended`: nobody used it for long, and nothing that it gave holds any more. */
export interface ExecuteFound {
  ended: boolean;
  operation?: Known<SessionOperation>;
  commit?: Known<SessionCommit>;
  page?: Known<SessionPage>;
}
/** Those before a number, newest first. */
export interface ExecuteList {
  before?: number;
  limit: number;
}
export interface ExecuteListed {
  ended: boolean;
  counters: Counters;
  operations: SessionOperation[];
  /** When it was used last, in ms since the epoch. */
  used_at?: number;
}
/** What is left of a session that has ended. */
export interface ExecuteResult {
  schema_version: 1;
  counters: Counters;
}
