import { randomUUID } from 'node:crypto';
import type { Request, RequestHandler, Response } from 'express';
import type { Level, Logger } from 'pino';
import { localsOf, statusOf } from './locals.ts';

const FIT = /^[\w.:-]{1,128}$/;

/** Gives each request an id, the caller's own (`X-Request-Id`) if it is fit, and logs how it was answered. */
export function logRequests(logger: Logger): RequestHandler {
  return (request, response, next) => {
    const given = request.get('x-request-id');
    const request_id = given !== undefined && FIT.test(given) ? given : randomUUID();
    localsOf(response).request_id = request_id;
    response.set('X-Request-Id', request_id);
    const start = performance.now();
    response.on('close', () => {
      const { caller, code } = localsOf(response);
      const path = request.originalUrl.split('?', 1)[0];
      const ms = Math.round(performance.now() - start);
      const plan_id = planIn(request, response);
      const status = statusOf(response);
      const entry = { request_id, method: request.method, path, plan_id, by: caller?.principal.id, status, code, ms };
      logger[levelOf(status)](entry, status === undefined ? 'request aborted' : 'request');
    });
    next();
  };
}

const levelOf = (status = 400): Level => (status < 400 ? 'debug' : status < 500 ? 'info' : 'warn');

/** The plan it was about: for one just made, the answer's `Location` has it. */
function planIn({ originalUrl }: Request, response: Response): string | undefined {
  const place = `${response.get('location') ?? originalUrl}`;
  return /^\/api\/plans\/([0-9a-f-]{36})\b/i.exec(place)?.[1]?.toLowerCase();
}
