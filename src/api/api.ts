import type { IncomingMessage } from 'node:http';
import express from 'express';
import type { Logger } from 'pino';
import type { Registry } from 'prom-client';
import type { Place } from '../contract/payloads.ts';
import { type Caller, localCaller } from '../service/caller.ts';
import type { PlanService } from '../service/service.ts';
import { unknownAddress } from './addresses.ts';
import { commandRoutes } from './commands.ts';
import { docsRoutes } from './docs.ts';
import { problems } from './errors.ts';
import { healthRoutes } from './health.ts';
import { holdRoutes } from './holds.ts';
import { identify } from './locals.ts';
import { loopbackOnly } from './loopback.ts';
import { measureRequests } from './metrics.ts';
import { openApiDocument } from './openapi/document.ts';
import { planRoutes } from './plans.ts';
import { questionRoutes } from './questions.ts';
import { logRequests } from './request-log.ts';
import { runRoutes } from './runs.ts';
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
  /** Of the program, for the API's description. */
  version?: string;
}

/** The REST surface as an Express application; whoever makes it lets it listen. */
export function createApi({
  service,
  logger,
  registry,
  place,
  callerOf,
  version = '0.0.0',
}: ApiOptions): express.Express {
  const app = express();
  app.disable('x-powered-by');
  app.use(logRequests(logger), measureRequests(registry), answerHeaders);
  if (!callerOf) app.use(loopbackOnly);
  app.use(healthRoutes(service, registry));
  app.use(docsRoutes(() => openApiDocument(app, { version, authenticated: callerOf !== undefined })));
  app.use('/api', identify(callerOf ?? (() => localCaller('rest'))));
  app.use(validateRoutes(), planRoutes(service, place), commandRoutes(service), questionRoutes(service));
  app.use(holdRoutes(service), runRoutes(service), timelineRoutes(service));
  app.use(unknownAddress, problems(logger));
  return app;
}

/** A plan's state is old as soon as it is sent, and no answer is anything but what its content type says. */
const answerHeaders: express.RequestHandler = (_request, response, next) => {
  response.set({ 'Cache-Control': 'no-cache', 'X-Content-Type-Options': 'nosniff' });
  next();
};
