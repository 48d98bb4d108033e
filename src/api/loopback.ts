import type { IncomingMessage } from 'node:http';
import { isLoopback } from '../config.ts';
import { Fault } from '../faults.ts';
import { isOf, READS } from '../origin.ts';

/**
 * Without authentication whoever reaches the port may run commands, and a browser on this machine reaches it on behalf
 * of any page it shows. Two ways in are closed:
 * - DNS rebinding: a page whose own name now points to 127.0.0.1 is of the same origin as the API, but its requests still
 *   carry that name as `Host`.
 * - Request forgery: a page may send a plain POST anywhere; with every method that changes something, browsers name the
 *   page's `Origin`. Programs that are no browsers send none.
 */
export function mustBeFromThisMachine({ method = '', headers }: IncomingMessage): void {
  const { host = '', origin } = headers;
  if (!isLoopback(nameIn(host)))
    throw new Fault(
      'PLAN_FORBIDDEN',
      `without authentication only this machine is served, not the host "${host.slice(0, 200)}"`,
    );
  if (!READS.includes(method) && origin !== undefined && !isOf(origin, host))
    throw new Fault('PLAN_FORBIDDEN', `pages of "${origin.slice(0, 200)}" may not change anything here`);
}

/** The name in `name:port`, or in `[address]:port`. */
export const nameIn = (host: string): string =>
  host
    .toLowerCase()
    .replace(/:\d*$/, '')
    .replace(/^\[(.*)\]$/, '$1');
