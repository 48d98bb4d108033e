import express from 'express';
import type { Logger } from 'pino';
import type { Registry } from 'prom-client';
import type { Place } from '../contract/payloads.ts';
import type { PlanService } from '../service/service.ts';
import { unknownAddress } from './addresses.ts';
import { type CallerOf, localUser } from './authenticate.ts';
import { commandRoutes } from './commands.ts';
import { problems } from './errors.ts';
import { healthRoutes } from './health.ts';
import { holdRoutes } from './holds.ts';
import { identify } from './locals.ts';
import { mustBeFromThisMachine } from './loopback.ts';
import { measureRequests } from './metrics.ts';
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
  /** `localUser` where no authentication is configured: then nothing at all is served to other machines. */
  callerOf?: CallerOf;
}

/** The REST surface as an Express application; whoever makes it lets it listen. */
export function createApi({ service, logger, registry, place, callerOf = localUser }: ApiOptions): express.Express {
  const app = express();
  app.disable('x-powered-by');
  app.use(logRequests(logger), measureRequests(registry), answerHeaders);
  if (callerOf === localUser) app.use(thisMachineOnly);
  app.use(healthRoutes(service, registry));
  app.use('/api', identify(callerOf));
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

const thisMachineOnly: express.RequestHandler = (request, _response, next) => {
  mustBeFromThisMachine(request);
  next();
};
