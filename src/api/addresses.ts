import type { Request, RequestHandler } from 'express';
import { Fault } from '../faults.ts';

/** The last handler of every route: a method that the address does not have. */
export const otherMethods: RequestHandler = (request, response) => {
  const { methods } = request.route as { methods: Record<string, boolean> };
  const known = Object.keys(methods).filter((method) => method !== '_all');
  if (methods.get) known.push('head');
  const allow = [...known, 'options'].join(', ').toUpperCase();
  response.set('Allow', allow);
  if (request.method !== 'OPTIONS')
    throw new Fault('METHOD_NOT_ALLOWED', `this address has no ${request.method}; it has ${allow}`);
  response.status(204).end();
};

export const unknownAddress: RequestHandler = (request) => {
  throw new Fault('ROUTE_NOT_FOUND', `there is nothing at ${request.path.slice(0, 200)}`);
};

/** The pattern of the address, such as `/api/plans/:id`: there are few of them, whatever is asked for. */
export const routeOf = (request: Request): string => (request.route as { path: string } | undefined)?.path ?? 'unknown';
