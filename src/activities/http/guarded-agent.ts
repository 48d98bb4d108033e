import type { LookupAddress } from 'node:dns';
import { lookup as systemLookup } from 'node:dns/promises';
import { isIP, type LookupFunction } from 'node:net';
import { Agent, buildConnector } from 'undici';
import { TaskFailure } from '../kind.ts';
import { parseAddress, whyNotPublic } from './addresses.ts';
import type { AllowedHosts } from './allowed-hosts.ts';

export type Resolve = (host: string) => Promise<LookupAddress[]>;
export const systemResolve: Resolve = (host) => systemLookup(host, { all: true, verbatim: true });

const RECEIVED_HEADERS_BYTES = 64 * 1_024;
const CONNECT_TIMEOUT_MS = 10_000;

/**
 * Connects to public addresses, and to what is allowed besides. A name is resolved once, every address is checked, and the
 * connection goes to one of those: checked before connecting, a name could have changed its address in between.
 */
export function guardedAgent(allowed: AllowedHosts, resolve: Resolve, signal: AbortSignal): Agent {
  const connect: buildConnector.connector = (options, callback) => {
    const { hostname, protocol } = options;
    const port = Number(options.port || (protocol === 'https:' ? 443 : 80));
    const check = (addresses: LookupAddress[]) => mustBeAllowed(allowed, hostname, port, addresses);
    const lookup = checkedLookup(async () => check(await resolve(hostname)));
    try {
      // No lookup is made for an address that stands there itself.
      if (isIP(hostname)) check([{ address: hostname, family: isIP(hostname) }]);
    } catch (refusal) {
      queueMicrotask(() => callback(refusal as TaskFailure, null));
      return;
    }
    buildConnector({ lookup, timeout: CONNECT_TIMEOUT_MS, autoSelectFamilyAttemptTimeout: 1_000 })(options, callback);
  };
  // The attempt has a time-out of its own, which the author chose.
  const agent = new Agent({ connect, headersTimeout: 0, bodyTimeout: 0, maxHeaderSize: RECEIVED_HEADERS_BYTES });
  // A request that waits for its connection does not heed its own signal.
  signal.addEventListener('abort', () => void agent.destroy(), { once: true });
  return agent;
}

function mustBeAllowed(allowed: AllowedHosts, host: string, port: number, found: LookupAddress[]): LookupAddress[] {
  if (found.length === 0) throw new Error(`${host} has no address`);
  for (const { address: text } of found) {
    const address = parseAddress(text);
    const why = address ? whyNotPublic(address) : 'reserved';
    if (why === undefined || allowed.host(host, port) || (address && allowed.address(address, port))) continue;
    const is = host === text ? `${host} is` : `${host} has`;
    throw new TaskFailure(
      `${is} ${host === text ? '' : `the address ${text}, `}${article(why)} address, which tasks may not reach; ` +
        `to allow it, start the engine with HOLDPOINT_ALLOW_PRIVATE_HOSTS=${isIP(host) === 6 ? `[${host}]` : host}:${port}`,
      { final: 'hopeless' },
    );
  }
  return found;
}

const article = (word: string): string => `${/^[aeiou]/.test(word) ? 'an' : 'a'} ${word}`;

function checkedLookup(find: () => Promise<LookupAddress[]>): LookupFunction {
  return (_host, { all }, done) => {
    find().then(
      (found) => (all ? done(null, found) : done(null, found[0]!.address, found[0]!.family)),
      (error: Error) => done(error, ''),
    );
  };
}
