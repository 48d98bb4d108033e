import type { Express, RequestHandler } from 'express';
import { type Operation, operationOf } from './operation.ts';

export interface DocumentedRoute {
  /** As Express has it, such as `/api/plans/:id`. */
  path: string;
  method: string;
  operation: Operation | undefined;
}

/** What of Express's router is read: layers are routes, or routers with layers of their own. */
interface Layer {
  route?: { path: string; stack: { method?: string; handle: RequestHandler }[] };
  handle?: { stack?: Layer[] };
}

/** Every method of every address that the application serves, in the order of their making. */
export function routesOf(app: Express): DocumentedRoute[] {
  return routesIn((app.router as unknown as { stack: Layer[] }).stack);
}

function routesIn(layers: Layer[]): DocumentedRoute[] {
  return layers.flatMap(({ route, handle }) => {
    if (!route) return routesIn(handle?.stack ?? []);
    // A handler for all methods has none: it tells the others that they are not there.
    const methods = [...new Set(route.stack.flatMap(({ method }) => method ?? []))];
    return methods.map((method) => ({ path: route.path, method, operation: operationIn(route.stack, method) }));
  });
}

function operationIn(stack: { method?: string; handle: RequestHandler }[], method: string): Operation | undefined {
  for (const { method: of, handle } of stack) {
    const operation = of === method ? operationOf(handle) : undefined;
    if (operation) return operation;
  }
  return undefined;
}
