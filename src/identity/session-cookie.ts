import type { IncomingMessage } from 'node:http';
import { type CookieSerializeOptions, parse, serialize } from 'cookie';
import { Fault } from '../faults.ts';

/** It carries the key or token itself; see session.decision.md. */
const NAME = 'holdpoint_session';
/** Longer ones some browser drops, without a word to anybody. */
const MOST_BYTES = 4_093;

/** The key or token that a browser sends by itself; undefined when it has none. */
export const sessionIn = ({ headers }: IncomingMessage): string | undefined =>
  (headers.cookie && parse(headers.cookie)[NAME]) || undefined;

interface About {
  isHttps: boolean;
  /** Of the key or token, ms since the epoch. */
  expires_at?: number | undefined;
}

/** As `Set-Cookie` has it: gone with the browser, or when the key or token expires. Throws REQUEST_INVALID when it is too long. */
export function sessionCookie(token: string, { isHttps, expires_at }: About): string {
  // Clocks may differ: a token that was taken just now is not taken away at once.
  const maxAge = expires_at === undefined ? undefined : Math.max(1, Math.floor((expires_at - Date.now()) / 1_000));
  const cookie = serialize(NAME, token, { ...options(isHttps), maxAge });
  if (cookie.length <= MOST_BYTES) return cookie;
  const most = `with it the cookie has ${cookie.length} bytes, and browsers keep ${MOST_BYTES}`;
  throw new Fault('REQUEST_INVALID', `token: is too long for a session: ${most}; send it as "Authorization: Bearer …"`);
}

/** The same cookie, to be forgotten. */
export const endedSessionCookie = (isHttps: boolean): string => serialize(NAME, '', { ...options(isHttps), maxAge: 0 });

const options = (secure: boolean): CookieSerializeOptions => ({
  path: '/',
  httpOnly: true,
  sameSite: 'strict',
  secure,
});
