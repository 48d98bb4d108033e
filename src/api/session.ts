import type { IncomingMessage } from 'node:http';
import { type RequestHandler, Router } from 'express';
import { z } from 'zod';
import type { Caller } from '../service/caller.ts';
import { parseRequest } from '../service/parse-request.ts';
import { otherMethods } from './addresses.ts';
import { jsonBody, readSmallBody } from './body.ts';
import { localsOf } from './locals.ts';
import { documented, json, type Operation } from './openapi/operation.ts';

/** Makes and ends sessions; cookies are as `Set-Cookie` has them. */
export interface Sessions {
  /** Throws what `CallerOf` throws, and PLAN_FORBIDDEN unless a page of this server asks. */
  signIn(request: IncomingMessage, token: string): Promise<{ caller: Caller; cookie: string }>;
  signOut(request: IncomingMessage): string;
}

const body = z.strictObject({
  token: z
    .string()
    .regex(/^[\x21-\x7e]+$/, 'has to be printable ASCII without spaces')
    .describe('An API key, or a JWT'),
});

/** Sign-in of pages, which keep no key themselves. Where nobody has to sign in there is nothing to do. */
export function sessionRoutes(sessions: Sessions | undefined): Router {
  const router = Router();
  router
    .route('/api/session')
    .post(documented(OPERATIONS.signIn), notKept, readSmallBody, async (request, response) => {
      const { token } = parseRequest(body, jsonBody(request));
      const signedIn = await sessions?.signIn(request, token);
      if (signedIn) {
        localsOf(response).caller = signedIn.caller;
        response.append('Set-Cookie', signedIn.cookie);
      }
      response.status(204).end();
    })
    // Of a page of elsewhere no browser sends this method: it would ask for leave before, and get none.
    .delete(documented(OPERATIONS.signOut), notKept, (request, response) => {
      if (sessions) response.append('Set-Cookie', sessions.signOut(request));
      response.status(204).end();
    })
    .all(otherMethods);
  return router;
}

const notKept: RequestHandler = (_request, response, next) => {
  response.set('Cache-Control', 'no-store');
  next();
};

const OPERATIONS = {
  signIn: {
    tag: 'service',
    summary: 'Sign in by a cookie, for pages',
    description:
      'The cookie is for this server’s own pages: `HttpOnly`, `SameSite=Strict`. It holds as long as the key or token does. Where nobody has to sign in, none is set.',
    open: true,
    body: { required: true, content: json(body, { token: 'hp_…' }) },
    answers: { 204: { description: 'Signed in', headers: ['Set-Cookie'] } },
    faults: ['UNAUTHENTICATED', 'IDENTITY_UNAVAILABLE', 'RATE_LIMITED'],
  },
  signOut: {
    tag: 'service',
    summary: 'Sign out: the cookie is forgotten',
    open: true,
    answers: { 204: { description: 'Signed out', headers: ['Set-Cookie'] } },
  },
} satisfies Record<string, Operation>;
