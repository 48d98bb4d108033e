import type { RequestHandler } from 'express';
import { rateLimit } from 'express-rate-limit';
import { Fault } from '../faults.ts';
import { callerIn } from './locals.ts';

const WINDOW_MS = 60_000;

/** So many requests a minute for each caller; the answers tell how many are left, in the headers `RateLimit` and `RateLimit-Policy`. */
export function limitRate(limit: number): RequestHandler {
  return rateLimit({
    windowMs: WINDOW_MS,
    limit,
    identifier: 'caller',
    standardHeaders: 'draft-8',
    legacyHeaders: false,
    keyGenerator(_request, response) {
      const { org_id, id } = callerIn(response).principal;
      return JSON.stringify([org_id, id]);
    },
    handler(_request, response, next) {
      const seconds = Number(response.get('retry-after'));
      const message = `one caller may make ${limit} requests a minute; try again in ${seconds} s`;
      next(new Fault('RATE_LIMITED', message, { retryAfterSeconds: seconds }));
    },
    // Who calls is known here, and by no address: what it warns of about proxies does not apply.
    validate: false,
  });
}
