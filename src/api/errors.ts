import type { ErrorRequestHandler } from 'express';
import type { Logger } from 'pino';
import { asFault, type BlockedBy, FAULTS, Fault, type FaultCode, type LimitInTheWay, type Problem } from '../faults.ts';
import { sizeText } from './body.ts';
import { localsOf } from './locals.ts';

/** How a fault is answered: RFC 9457, `application/problem+json`. */
export interface ProblemDocument {
  type: string;
  title: string;
  status: number;
  detail: string;
  code: FaultCode;
  errors?: readonly Problem[];
  blocked_by?: BlockedBy;
  /** Of a limit that is in the way: which, and its numbers. */
  errorType?: LimitInTheWay['errorType'];
  limit?: string;
  spent?: number;
  max?: number;
  missing?: number;
  unit?: LimitInTheWay['unit'];
  /** Names the request, as in the log. */
  instance: string;
}

/** Headers that HTTP asks for besides the status. */
export const HEADERS: Partial<Record<FaultCode, Record<string, string>>> = {
  UNAUTHENTICATED: { 'WWW-Authenticate': 'Bearer' },
  ENGINE_UNAVAILABLE: { 'Retry-After': '1' },
  IDENTITY_UNAVAILABLE: { 'Retry-After': '5' },
  UPGRADE_REQUIRED: { Upgrade: 'websocket', Connection: 'Upgrade', 'Sec-WebSocket-Version': '13' },
};

/** The one place where whatever was thrown becomes an answer. What is not a fault is told to the log only. */
export function problems(logger: Logger): ErrorRequestHandler {
  return (error: unknown, _request, response, _next) => {
    const fault = fromExpress(error) ?? asFault(error);
    const locals = localsOf(response);
    const { request_id = '' } = locals;
    locals.code = fault.code;
    if (fault.code === 'INTERNAL') logger.error({ request_id, err: fault.cause ?? fault }, 'internal error');
    if (response.headersSent) return void response.destroy();
    response.status(FAULTS[fault.code].http).set(HEADERS[fault.code] ?? {});
    if (fault.retryAfterSeconds !== undefined) response.set('Retry-After', String(fault.retryAfterSeconds));
    response.type('application/problem+json').json(problemOf(fault, request_id));
  };
}

export function problemOf({ code, message, errors, blocked_by, limit }: Fault, requestId: string): ProblemDocument {
  const { title, http } = FAULTS[code];
  return {
    type: `urn:holdpoint:problem:${code.toLowerCase().replaceAll('_', '-')}`,
    title,
    status: http,
    detail: code === 'INTERNAL' ? `the cause is in the log of the engine, under request_id ${requestId}` : message,
    code,
    ...(errors && { errors }),
    ...(blocked_by && { blocked_by }),
    ...limit,
    instance: `urn:holdpoint:request:${requestId}`,
  };
}

/** What Express and its body parser throw carries a status. */
function fromExpress(error: unknown): Fault | undefined {
  if (!(error instanceof Error && 'status' in error)) return undefined;
  const options = { cause: error };
  if (error instanceof URIError) return new Fault('ROUTE_NOT_FOUND', 'the address has a malformed % in it', options);
  if (error.status === 413) {
    const most = 'limit' in error ? sizeText(Number(error.limit)) : 'what is taken here';
    return new Fault('BODY_TOO_LARGE', `the body is larger than ${most}`, options);
  }
  if (error.status === 415) return new Fault('MEDIA_TYPE_UNSUPPORTED', error.message, options);
  if (error.status === 400) return new Fault('REQUEST_INVALID', `the body cannot be read: ${error.message}`, options);
  return undefined;
}
