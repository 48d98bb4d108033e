import type { RequestHandler, Response } from 'express';
import type { FaultCode } from '../faults.ts';
import type { Caller } from '../service/caller.ts';
import type { CallerOf } from './authenticate.ts';

/** What one middleware leaves for those after it. */
interface Locals {
  /** Names the request in its answer and in the log; nothing to do with the `request_id` of a command. */
  request_id: string;
  caller: Caller;
  /** The code of the problem that was answered. */
  code?: FaultCode;
}

export const localsOf = (response: Response): Partial<Locals> => response.locals;

/** Who calls is settled before anything of the body is read. */
export function identify(callerOf: CallerOf, ways: Parameters<CallerOf>[1] = {}): RequestHandler {
  return async (request, response, next) => {
    localsOf(response).caller = await callerOf(request, ways);
    next();
  };
}

export function callerIn(response: Response): Caller {
  const { caller } = localsOf(response);
  if (!caller) throw new Error('this address is not behind `identify`');
  return caller;
}

/** The status that was sent; undefined when the caller went away before it was. For use when the response has closed. */
export const statusOf = ({ writableFinished, statusCode }: Response): number | undefined =>
  writableFinished ? statusCode : undefined;
