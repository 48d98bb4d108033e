import type { IncomingMessage } from 'node:http';
import { Fault } from './faults.ts';

/** Methods that change nothing. */
export const READS: readonly string[] = ['GET', 'HEAD', 'OPTIONS'];

/** Browsers write both in lower case, and leave the usual port out of both. */
export const isOf = (origin: string, host: string): boolean =>
  origin === `http://${host}` || origin === `https://${host}`;

/** `none`: no page, but whoever sits at the browser. */
const OWN_SITES: readonly unknown[] = ['same-origin', 'none'];

/**
 * Throws PLAN_FORBIDDEN unless a page of this server sent the request, as the browser itself says: no page can set either
 * header. `Sec-Fetch-Site` holds behind proxies that change the `Host`, too, but browsers send it to https and loopback only.
 */
export function mustBeOfSameOrigin({ headers }: IncomingMessage): void {
  const { host = '', origin, 'sec-fetch-site': site } = headers;
  const isOwn = site === undefined ? origin !== undefined && isOf(origin, host) : OWN_SITES.includes(site);
  if (isOwn) return;
  const who =
    origin === undefined
      ? 'there is no header that says which page sends this'
      : `a page of "${origin.slice(0, 200)}" sends this to "${host.slice(0, 200)}"`;
  throw new Fault(
    'PLAN_FORBIDDEN',
    `a session acts from pages of this server only, and ${who}; programs send "Authorization: Bearer KEY"`,
  );
}
