import type { IncomingMessage } from 'node:http';
import { asFault, Fault } from '../faults.ts';
import type { Caller } from '../service/caller.ts';
import type { CallerOf } from './authenticate.ts';

/** Watches over callers whose connection lasts. */
export interface CallerWatch {
  /** Undefined while who opened it with this request is who it was; else why not. */
  lost(request: IncomingMessage, was: Caller): Promise<Fault | undefined>;
  /** Asks that often, and whenever keys change; tells the first loss. Gives what ends it. */
  over(request: IncomingMessage, was: Caller, onLoss: (why: Fault) => void): () => void;
}

interface WatchOptions {
  /** Who sends a request; not counted as one that tries a key. */
  recheck: CallerOf;
  /** Calls when somebody may have been shut out; tokens expire without it. */
  onChange?: ((changed: () => void) => void) | undefined;
  recheckMs?: number | undefined;
}

/** A token may expire while a connection lasts: whoever opened it is asked for so often. */
export const RECHECK_MS = 30_000;

export function watchCallers({ recheck, onChange, recheckMs = RECHECK_MS }: WatchOptions): CallerWatch {
  const checks = new Set<() => void>();
  onChange?.(() => {
    for (const check of checks) check();
  });
  const lost = (request: IncomingMessage, was: Caller) => noLongerAllowed(() => recheck(request), was);
  return {
    lost,
    over(request, was, onLoss) {
      const check = async () => {
        const why = await lost(request, was);
        if (why && end()) onLoss(why);
      };
      const often = setInterval(check, recheckMs);
      const end = () => {
        clearInterval(often);
        return checks.delete(check);
      };
      checks.add(check);
      // Keys may have changed since the request was let in.
      void check();
      return () => void end();
    },
  };
}

/** What only cannot be asked now changes nothing. */
async function noLongerAllowed(recheck: () => Promise<Caller>, was: Caller): Promise<Fault | undefined> {
  try {
    const { principal, permissions } = await recheck();
    const same = principal.id === was.principal.id && principal.org_id === was.principal.org_id;
    if (same && was.permissions.every((permission) => permissions.includes(permission))) return undefined;
    return new Fault('PLAN_FORBIDDEN', 'the permissions are not what they were');
  } catch (error) {
    const fault = asFault(error);
    return fault.code === 'UNAUTHENTICATED' || fault.code === 'PLAN_FORBIDDEN' ? fault : undefined;
  }
}
