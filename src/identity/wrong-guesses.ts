import type { IncomingMessage } from 'node:http';
import { ipKeyGenerator, MemoryStore, type Options } from 'express-rate-limit';
import proxyAddr from 'proxy-addr';
import { Fault } from '../faults.ts';

/** Wrong keys and tokens that may come from one address in a minute. */
export const MOST_WRONG = 60;
const WINDOW_MS = 60_000;

export interface WrongGuesses {
  /** Throws RATE_LIMITED when too many wrong ones came from the address of this request. */
  mustBeFew(request: IncomingMessage): Promise<void>;
  count(request: IncomingMessage): Promise<void>;
}

/** Counts wrong keys and tokens by address, so that nobody can try one after another. Throws CONFIG_INVALID. */
export function countWrongGuesses(trustedProxies: string[], most = MOST_WRONG): WrongGuesses {
  const trusted = compile(trustedProxies);
  const store = new MemoryStore();
  store.init({ windowMs: WINDOW_MS } as Options);
  const from = (request: IncomingMessage) => ipKeyGenerator(proxyAddr(request, trusted) ?? '');
  return {
    async mustBeFew(request) {
      const { totalHits = 0, resetTime } = (await store.get(from(request))) ?? {};
      if (totalHits < most) return;
      const seconds = Math.max(1, Math.ceil(((resetTime?.getTime() ?? 0) - Date.now()) / 1_000));
      throw new Fault('RATE_LIMITED', `too many wrong keys came from this address; try again in ${seconds} s`, {
        retryAfterSeconds: seconds,
      });
    },
    async count(request) {
      await store.increment(from(request));
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
