import type { IncomingMessage } from 'node:http';
import { ipKeyGenerator, MemoryStore, type Options } from 'express-rate-limit';
import { Fault } from '../faults.ts';
import type { TrustedProxies } from './trusted-proxies.ts';

/** Wrong keys and tokens that may come from one address in a minute. */
export const MOST_WRONG = 60;
const WINDOW_MS = 60_000;

export interface WrongGuesses {
  /** Throws RATE_LIMITED when too many wrong ones came from the address of this request. */
  mustBeFew(request: IncomingMessage): Promise<void>;
  count(request: IncomingMessage): Promise<void>;
}

/** Counts wrong keys and tokens by address, so that nobody can try one after another. */
export function countWrongGuesses(proxies: TrustedProxies, most = MOST_WRONG): WrongGuesses {
  const store = new MemoryStore();
  store.init({ windowMs: WINDOW_MS } as Options);
  const from = (request: IncomingMessage) => ipKeyGenerator(proxies.addressOf(request));
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
