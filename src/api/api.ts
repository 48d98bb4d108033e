import express from 'express';
import type { Logger } from 'pino';
import type { Registry } from 'prom-client';
import type { Place } from '../contract/payloads.ts';
import type { PlanService } from '../service/service.ts';
import { type About, aboutRoutes } from './about.ts';
import { unknownAddress } from './addresses.ts';
import { agentEventRoutes } from './agent-events.ts';
import { agentRunRoutes } from './agent-runs.ts';
import { agentRoutes } from './agents.ts';
import { artifactRoutes } from './artifacts.ts';
import { type CallerOf, localUser } from './authenticate.ts';
import { bundleRoutes } from './bundle.ts';
import { catalogRoutes } from './catalogs.ts';
import { commandRoutes } from './commands.ts';
import { consoleRoutes } from './console.ts';
import { docsRoutes } from './docs.ts';
import { problems } from './errors.ts';
import { executeRoutes } from './execute.ts';
import { givenRoutes } from './given.ts';
import { healthRoutes } from './health.ts';
import { holdRoutes } from './holds.ts';
import { limitRoutes } from './limits.ts';
import { identify } from './locals.ts';
import { logRoutes } from './logs.ts';
import { mustBeFromThisMachine } from './loopback.ts';
import { type AnswerMcp, mcpRoutes } from './mcp.ts';
import { meRoutes } from './me.ts';
import { measureRequests } from './metrics.ts';
import { openApiDocument } from './openapi/document.ts';
import { operationRoutes } from './operations.ts';
import { eventRoutes } from './plan-events.ts';
import { planRoutes } from './plans.ts';
import { questionRoutes } from './questions.ts';
import { limitRate } from './rate-limit.ts';
import { logRequests } from './request-log.ts';
import { runRoutes } from './runs.ts';
import { schemaRoutes } from './schema.ts';
import { securityHeaders } from './security-headers.ts';
import { type Sessions, sessionRoutes } from './session.ts';
import { type CallerWatch, watchCallers } from './still-allowed.ts';
import { type Tickets, ticketOffice, ticketRoutes } from './tickets.ts';
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
  /** Of browsers; there are none where no authentication is configured. */
  sessions?: Sessions | undefined;
  /** Requests a minute for each caller; as many as they like without it. */
  rateLimit?: number | undefined;
  /** Given by `POST /api/ws/ticket`, taken by the WebSocket. */
  tickets?: Tickets;
  /** Over callers whose stream lasts. */
  watch?: CallerWatch;
  /** Aborts when the server is about to end: then streams do. */
  closing?: AbortSignal;
  /** The Model Context Protocol, at `/mcp`. */
  mcp?: AnswerMcp;
  /** Of the program. */
  version?: string;
  /** Where its plans are. */
  temporal?: About['temporal'];
}

/** The REST surface as an Express application; whoever makes it lets it listen. */
export function createApi(options: ApiOptions): express.Express {
  const { service, logger, registry, place, callerOf = localUser, rateLimit, mcp, version = '0.0.0' } = options;
  const authentication = callerOf === localUser ? 'none' : 'required';
  const { temporal = { namespace: 'default', ui_url: null } } = options;
  const { tickets = ticketOffice(), closing = new AbortController().signal } = options;
  const ends = { watch: options.watch ?? watchCallers({ recheck: callerOf }), closing };
  const app = express();
  app.use(logRequests(logger), measureRequests(registry), securityHeaders, answerHeaders);
  if (authentication === 'none') app.use(thisMachineOnly);
  app.use(docsRoutes(() => openApiDocument(app, { version, authenticated: authentication === 'required' })));
  app.use(consoleRoutes(), schemaRoutes(), sessionRoutes(options.sessions));
  app.use(['/api', '/metrics', ...OTHER_ADDRESSES], identify(callerOf));
  // Agents are no browsers: they say who they are.
  app.use('/mcp', identify(callerOf, { session: false }));
  if (rateLimit !== undefined) app.use(['/api', '/mcp', ...OTHER_ADDRESSES], limitRate(rateLimit));
  app.use(healthRoutes(service, registry), meRoutes(), aboutRoutes({ version, authentication, temporal }));
  app.use(validateRoutes(service), planRoutes(service, place), commandRoutes(service), questionRoutes(service));
  app.use(givenRoutes(service), limitRoutes(service));
  app.use(holdRoutes(service), runRoutes(service), timelineRoutes(service));
  app.use(eventRoutes(service, ends), ticketRoutes(tickets));
  app.use(logRoutes(service, ends), artifactRoutes(service), bundleRoutes(service));
  app.use(agentRoutes(service), agentRunRoutes(service), agentEventRoutes(service, ends));
  app.use(catalogRoutes(service), executeRoutes(service, place), operationRoutes(service, ends));
  if (mcp) app.use(mcpRoutes(mcp));
  app.use(unknownAddress, problems(logger));
  return app;
}

/** Addresses of documents 2 and 3 have no common beginning. */
const OTHER_ADDRESSES = ['/agents', '/messages', '/settings', '/catalogs', '/execute'];

/** A plan's state is old as soon as it is sent. */
const answerHeaders: express.RequestHandler = (_request, response, next) => {
  response.set('Cache-Control', 'no-cache');
  next();
};

const thisMachineOnly: express.RequestHandler = (request, _response, next) => {
  mustBeFromThisMachine(request);
  next();
};
