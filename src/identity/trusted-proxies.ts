import type { IncomingMessage } from 'node:http';
import proxyAddr from 'proxy-addr';
import { Fault } from '../faults.ts';

export interface TrustedProxies {
  /** The address that a request came from, as far as what trusted proxies say of it goes. */
  addressOf(request: IncomingMessage): string;
  /** Whether its sender spoke TLS, to a trusted proxy or, as its browser says, to whatever is before this server. */
  isHttps(request: IncomingMessage): boolean;
}

/** Addresses and CIDRs whose `X-Forwarded-…` is believed. Throws CONFIG_INVALID. */
export function trustedProxies(trusted: string[]): TrustedProxies {
  const isTrusted = compile(trusted);
  return {
    addressOf: (request) => proxyAddr(request, isTrusted) ?? '',
    isHttps({ headers, socket }) {
      // A page knows its own address: one that is behind a proxy nobody told of is not sent its cookie over http.
      if (headers.origin?.startsWith('https://')) return true;
      const [first] = `${headers['x-forwarded-proto'] ?? ''}`.split(',');
      return first!.trim().toLowerCase() === 'https' && isTrusted(socket.remoteAddress ?? '', 0);
    },
  };
}

function compile(trusted: string[]): (address: string, hops: number) => boolean {
  try {
    return proxyAddr.compile(trusted);
  } catch (error) {
    throw new Fault('CONFIG_INVALID', `HOLDPOINT_TRUSTED_PROXIES: ${(error as Error).message}`, { cause: error });
  }
}
