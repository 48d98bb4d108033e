import type { IncomingMessage } from 'node:http';
import { type Caller, localCaller } from '../service/caller.ts';
import { mustBeFromThisMachine } from './loopback.ts';

/**
 * Who sends a request, by its headers alone: nothing of its body is read, so it serves requests and upgrades alike. Throws
 * UNAUTHENTICATED, IDENTITY_UNAVAILABLE, RATE_LIMITED or PLAN_FORBIDDEN. Whoever keeps a connection open may call it again with
 * the request that opened it, to learn whether its caller may still. `session: false`: a cookie says nothing.
 */
export type CallerOf = (request: IncomingMessage, ways?: { session?: boolean }) => Promise<Caller>;

/** Where no authentication is configured, everybody is the user of this machine, and only this machine may call. */
export const localUser: CallerOf = async (request) => {
  mustBeFromThisMachine(request);
  return localCaller('rest');
};
