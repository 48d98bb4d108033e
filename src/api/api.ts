import type { IncomingMessage } from 'node:http';
import express from 'express';
import type { Logger } from 'pino';
import type { Registry } from 'prom-client';
import type { Place } from '../contract/payloads.ts';
import { type Caller, localCaller } from '../service/caller.ts';
import type { PlanService } from '../service/service.ts';
import { unknownAddress } from './addresses.ts';
import { commandRoutes } from './commands.ts';
import { problems } from './errors.ts';
import { healthRoutes } from './health.ts';
import { holdRoutes } from './holds.ts';
import { identify } from './locals.ts';
import { loopbackOnly } from './loopback.ts';
import { measureRequests } from './metrics.ts';
import { eventRoutes } from './plan-events.ts';
import { planRoutes } from './plans.ts';
import { questionRoutes } from './questions.ts';
import { logRequests } from './request-log.ts';
import { runRoutes } from './runs.ts';
import { type Tickets, ticketOffice, ticketRoutes } from './tickets.ts';
import { timelineRoutes } from './timeline.ts';
import { validateRoutes } from './validate.ts';

export interface ApiOptions {
  service: PlanService;
  logger: Logger;
  registry: Registry;
  /** Recorded for plans that are made over REST. */
  place: () => Place;
  /** Finds who calls, or throws UNAUTHENTICATED. Without it everybody is the user of this machine, and only this machine may call. */
  callerOf?: (request: IncomingMessage) => Caller | Promise<Caller>;
  /** Given by `POST /api/ws/ticket`, taken by the WebSocket. */
  tickets?: Tickets;
  /** Aborts when the server is about to end: then streams do. */
  closing?: AbortSignal;
}

/** The REST surface as an Express application; whoever makes it lets it listen. */
export function createApi(options: ApiOptions): express.Express {
  const { service, logger, registry, place, callerOf } = options;
  const { tickets = ticketOffice(), closing = new AbortController().signal } = options;
  const who = callerOf ?? (() => localCaller('rest'));
  const app = express();
  app.disable('x-powered-by');
  app.use(logRequests(logger), measureRequests(registry), answerHeaders);
  if (!callerOf) app.use(loopbackOnly);
  app.use(healthRoutes(service, registry));
  app.use('/api', identify(who));
  app.use(validateRoutes(), planRoutes(service, place), commandRoutes(service), questionRoutes(service));
  app.use(holdRoutes(service), runRoutes(service), timelineRoutes(service));
  app.use(eventRoutes(service, { callerOf: who, closing }), ticketRoutes(tickets, who));
  app.use(unknownAddress, problems(logger));
  return app;
}

/** A plan's state is old as soon as it is sent, and no answer is anything but what its content type says. */
const answerHeaders: express.RequestHandler = (_request, response, next) => {
  response.set({ 'Cache-Control': 'no-cache', 'X-Content-Type-Options': 'nosniff' });
  next();
};
