import type { ExecuteFind, ExecuteFound } from '../../contract/execute-payloads.ts';
import { Fault } from '../../faults.ts';
import { formatDuration } from '../../plan/duration.ts';
import {
  type HandleKind,
  type Known,
  type SessionCommit,
  type SessionOperation,
  type SessionPage,
  SURFACES,
  type Surface,
} from '../../plan/execute-session.ts';
import type { SessionName } from './parts.ts';
import type { SessionKey, Sessions } from './session.ts';

const LETTERS = { operations: 'o', pages: 'pg' } as const;
type Handled = keyof typeof LETTERS;
const WORDS: Record<Handled, { one: string; use: (handle: string) => string }> = {
  operations: { one: 'an operation', use: (handle) => `wait(${handle}) or cancel(${handle})` },
  pages: { one: 'a page of rows', use: (handle) => `page(${handle})` },
};
const FORM = /^(s\d{1,9})_(o|pg)(\d{1,9})$/;

/** As it is written in programs. */
export const handleOf = (surface: Surface, kind: Handled, n: number): string =>
  `${SURFACES[surface]}_${LETTERS[kind]}${n}`;
export const tokenOf = (n: number): string => `pc${n}`;

/** The number in a handle of this session. Throws HANDLE_NOT_FOUND for what cannot be one of it. */
export function numberIn(handle: string, kind: Handled, { surface, session }: SessionName): number {
  const [, prefix, letters, n] = FORM.exec(handle) ?? [];
  const shown = handle.slice(0, 80);
  if (prefix === undefined)
    throw new Fault(
      'HANDLE_NOT_FOUND',
      `"${shown}" is no handle; those of this session look like ${handleOf(surface, 'operations', 1)} and ${handleOf(surface, 'pages', 1)}`,
    );
  if (prefix !== SURFACES[surface])
    throw new Fault(
      'HANDLE_NOT_FOUND',
      `${shown} is of another kind of session: what the session "${session}" gives begins with ${SURFACES[surface]}_`,
    );
  if (letters !== LETTERS[kind]) {
    const other = kind === 'pages' ? 'operations' : 'pages';
    throw new Fault('HANDLE_NOT_FOUND', `${shown} is ${WORDS[other].one}: use ${WORDS[other].use(shown)}`);
  }
  return Number(n);
}

/** The operation behind a handle. Throws HANDLE_NOT_FOUND and HANDLE_EXPIRED. */
export async function findOperation(sessions: Sessions, key: SessionKey, handle: string): Promise<SessionOperation> {
  const operation = numberIn(handle, 'operations', key);
  const found = await sessions.find(key, { operation });
  return kept(found, found?.operation, { key, handle, kind: 'operations' });
}

/** The rows behind a handle. */
export async function findPage(sessions: Sessions, key: SessionKey, handle: string): Promise<SessionPage> {
  const page = numberIn(handle, 'pages', key);
  const found = await sessions.find(key, { page });
  return kept(found, found?.page, { key, handle, kind: 'pages' });
}

interface Asked {
  key: SessionKey;
  handle: string;
  kind: Handled;
}

function kept<T>(found: ExecuteFound | undefined, known: Known<T> | undefined, { key, handle, kind }: Asked): T {
  const { session, surface } = key;
  if (!found || !known)
    throw new Fault(
      'HANDLE_NOT_FOUND',
      `the session "${session}" has given no ${handle}, nor anything yet; a handle is of the session that gave it`,
    );
  if (known.is === 'unknown')
    throw new Fault(
      'HANDLE_NOT_FOUND',
      `the session "${session}" has given no ${handle}; ${lastOf(surface, kind, known.last)}; a handle is of the session that gave it`,
    );
  if (found.ended)
    throw new Fault(
      'HANDLE_EXPIRED',
      `${handle} has expired: nobody had used the session "${session}" for so long that it ended; run the program again`,
    );
  if (known.is === 'expired')
    throw new Fault(
      'HANDLE_EXPIRED',
      `${handle} has expired: it is of before the session "${session}" ended, or too many newer ones came; run the program again`,
    );
  return known.what;
}

const lastOf = (surface: Surface, kind: Handled, last: number): string =>
  last === 0 ? 'it has given none' : `its last is ${handleOf(surface, kind, last)}`;

/** Checks the token of a dry run against a program. Throws COMMIT_UNKNOWN, COMMIT_EXPIRED and COMMIT_MISMATCH. */
export async function checkToken(
  sessions: Sessions,
  key: SessionKey,
  token: string,
  commitId: string,
  ttlMs: number,
): Promise<SessionCommit> {
  const [, n] = /^pc(\d{1,9})$/.exec(token) ?? [];
  const shown = token.slice(0, 80);
  if (n === undefined)
    throw new Fault('COMMIT_UNKNOWN', `"${shown}" is no token of a dry run, such as pc0; dry-run again`);
  const asked: ExecuteFind = { commit: Number(n) };
  const found = await sessions.find(key, asked);
  const known = found?.commit;
  const session = `the session "${key.session}"`;
  if (!known || known.is === 'unknown')
    throw new Fault('COMMIT_UNKNOWN', `${session} has given no ${shown}, and a token is of its session; dry-run again`);
  const expired = known.is === 'expired' || found.ended || known.what.expires_at <= Date.now();
  if (expired)
    throw new Fault('COMMIT_EXPIRED', `${shown} has expired: tokens hold for ${formatDuration(ttlMs)}; dry-run again`);
  if (known.what.commit_id !== commitId)
    throw new Fault('COMMIT_MISMATCH', `${shown} is of another program than this one; dry-run again`);
  return known.what;
}

export type { HandleKind };
