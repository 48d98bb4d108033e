import type { Json } from './json.ts';

/** What begins the handles that a surface gives: sessions of HTTP and the command line, and those of MCP. */
export const SURFACES = { http: 's0', mcp: 's1' } as const;
export type Surface = keyof typeof SURFACES;

export type Verdict = 'ok' | 'review';

/** How many of each a session has given. They only grow, over all that the session has been: no handle is given twice. */
export interface Counters {
  operations: number;
  commits: number;
  pages: number;
}
export const NO_HANDLES: Counters = { operations: 0, commits: 0, pages: 0 };

/** An operation that was accepted; `n` is the number in its handle. Times are ms since the epoch. */
export interface SessionOperation {
  n: number;
  request_id: string;
  plan_id: string;
  /** Hash of what it does. */
  commit_id: string;
  commit_ref?: string;
  verdict: Verdict;
  /** Nobody had asked for it to be in the background. */
  auto?: true;
  /** The first words of its program. */
  program: string;
  at: number;
}

/** A dry run that may be accepted by its token; tokens count from 0. */
export interface SessionCommit {
  n: number;
  commit_id: string;
  verdict: Verdict;
  expensive: boolean;
  expires_at: number;
}

/** Rows that come after others. The same place again has the same handle. */
export interface SessionPage {
  n: number;
  key: string;
  /** Where they are: whoever asked for the handle understands it. */
  place: Json;
  at: number;
}

export interface Session {
  counters: Counters;
  operations: Map<number, SessionOperation>;
  /** By the request that it was accepted with. */
  requests: Map<string, number>;
  commits: Map<number, SessionCommit>;
  pages: Map<number, SessionPage>;
  pageKeys: Map<string, number>;
  used_at: number;
}

/** The newest that are kept of each; the handles of older ones have expired. */
export const MOST = { operations: 1_000, commits: 1_000, pages: 5_000 } as const;
/** Characters of a program that are kept, for lists. */
export const PROGRAM_HEAD = 200;

export const newSession = (counters: Counters, now: number): Session => ({
  counters: { ...counters },
  operations: new Map(),
  requests: new Map(),
  commits: new Map(),
  pages: new Map(),
  pageKeys: new Map(),
  used_at: now,
});

/**
 * When it was asked for, as whoever asked says: a workflow task may be made again, later. What is told by hand, or by older code, may
 * lack it.
 */
interface Told {
  at?: number;
}
const timeOf = (at: number | undefined, now: number): number =>
  typeof at === 'number' && at >= 0 && at < LATEST ? at : now;
/** The last time that a date can have. */
const LATEST = 8.64e15;

/** Gives the next handle. The same request again has the one it has. */
export function accept(session: Session, told: Omit<SessionOperation, 'n' | 'at'> & Told, now: number): void {
  const { counters, operations, requests } = session;
  session.used_at = now;
  if (requests.has(told.request_id)) return;
  const n = ++counters.operations;
  operations.set(n, { ...told, program: told.program.slice(0, PROGRAM_HEAD), n, at: timeOf(told.at, now) });
  requests.set(told.request_id, n);
  for (const { request_id } of forgotten(operations, MOST.operations)) requests.delete(request_id);
}

/** Gives a token for a dry run. What has one that still holds keeps it, and it holds anew. */
export function commit(
  session: Session,
  { at: asked, ...told }: Omit<SessionCommit, 'n' | 'expires_at'> & Told,
  ttl: number,
  now: number,
): void {
  const { counters, commits } = session;
  session.used_at = now;
  const at = timeOf(asked, now);
  const had = commitOf(session, told.commit_id);
  if (had && had.expires_at > at) {
    // The newest are at the end, and kept.
    commits.delete(had.n);
    commits.set(had.n, { ...told, n: had.n, expires_at: at + ttl });
    return;
  }
  const n = counters.commits++;
  commits.set(n, { ...told, n, expires_at: at + ttl });
  forgotten(commits, MOST.commits);
}

/** What something was given: an operation by its request, a token by its commit, a page by its key. */
export function numberOf(session: Session, what: HandleKind, key: string): number | undefined {
  if (what === 'operations') return session.requests.get(key);
  return what === 'pages' ? session.pageKeys.get(key) : commitOf(session, key)?.n;
}

const commitOf = ({ commits }: Session, commitId: string): SessionCommit | undefined =>
  Array.from(commits.values()).findLast(({ commit_id }) => commit_id === commitId);

/** Gives a handle for the rows at a place. */
export function page(session: Session, { key, place }: Pick<SessionPage, 'key' | 'place'>, now: number): void {
  const { counters, pages, pageKeys } = session;
  session.used_at = now;
  if (pageKeys.has(key)) return;
  const n = ++counters.pages;
  pages.set(n, { n, key, place, at: now });
  pageKeys.set(key, n);
  for (const { key: old } of forgotten(pages, MOST.pages)) pageKeys.delete(old);
}

function forgotten<T>(kept: Map<number, T>, most: number): T[] {
  const gone: T[] = [];
  for (const [n, one] of kept) {
    if (kept.size <= most) break;
    kept.delete(n);
    gone.push(one);
  }
  return gone;
}

/** How long it still lives if nobody uses it. */
export const leftMs = ({ used_at }: Session, ttl: number, now: number): number => used_at + ttl - now;

/** A session as plain JSON, for its next history. */
export interface CarriedSession {
  counters: Counters;
  operations: SessionOperation[];
  commits: SessionCommit[];
  pages: SessionPage[];
  used_at: number;
}

/** `share`: which part of what may be kept, the newest of it. */
export const carriedSession = (
  { counters, operations, commits, pages, used_at }: Session,
  share = 1,
): CarriedSession => ({
  counters,
  operations: [...operations.values()].slice(-MOST.operations * share),
  commits: [...commits.values()].slice(-MOST.commits * share),
  pages: [...pages.values()].slice(-MOST.pages * share),
  used_at,
});

export const sessionFrom = ({ counters, operations, commits, pages, used_at }: CarriedSession): Session => ({
  counters: { ...counters },
  operations: new Map(operations.map((one) => [one.n, one])),
  requests: new Map(operations.map(({ request_id, n }) => [request_id, n])),
  commits: new Map(commits.map((one) => [one.n, one])),
  pages: new Map(pages.map((one) => [one.n, one])),
  pageKeys: new Map(pages.map(({ key, n }) => [key, n])),
  used_at,
});

export type HandleKind = keyof Counters;

/** What a session says of a number: never given, given and no longer kept, or what it is. */
export type Known<T> = { is: 'unknown'; last: number } | { is: 'expired' } | { is: 'kept'; what: T };

/** Tokens count from 0, everything else from 1. */
export function known<T>(kind: HandleKind, n: number, counters: Counters, kept: T | undefined): Known<T> {
  if (kept !== undefined) return { is: 'kept', what: kept };
  const first = kind === 'commits' ? 0 : 1;
  const last = counters[kind] - 1 + first;
  return n >= first && n <= last ? { is: 'expired' } : { is: 'unknown', last };
}
