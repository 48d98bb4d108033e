import type { RequestHandler } from 'express';
import { z } from 'zod';
import type { FaultCode } from '../../faults.ts';
import { parseRequest } from '../../service/parse-request.ts';
import type { HeaderName, ParameterName } from './parameters.ts';

/** What the API's description says of one method of one address; it stands beside the handler that does it. */
export interface Operation {
  /** Under which heading it is shown. */
  tag: Tag;
  /** One line. */
  summary: string;
  description?: string;
  /** Of the query string; the schema that the handler parses it with. */
  query?: z.ZodObject;
  /** Request headers that mean something here. */
  headers?: readonly HeaderName[];
  body?: Body;
  answers: Record<number, Answer>;
  /** What may be answered as a problem, besides what any call under its address may meet. */
  faults?: readonly FaultCode[];
  /** Anybody may call it. */
  open?: true;
  /** A session does not count: callers send the `Authorization` header. */
  headerOnly?: true;
}

export interface Body {
  required: boolean;
  /** By content type: the schema that the handler parses it with. */
  content: Record<string, Content>;
}

export interface Answer {
  description: string;
  headers?: readonly ResponseHeaderName[];
  content?: Record<string, Content>;
  /** Its body has the `plan_id` that the addresses of a plan begin with. */
  ofPlan?: true;
}

interface Content {
  schema: z.ZodType;
  example?: unknown;
}

export const TAGS = {
  plans: 'Plans: create, list, read',
  controls: 'Controls: pause, resume, stop, approve, hold, release',
  questions: 'Questions that a plan asks, and their answers',
  story: 'What happened, who did it, and what came of it',
  programs: 'Programs over catalogs of sources, and their operations',
  agents: 'Chats: messages worked by pipelines of agents',
  limits: 'What calls of models may take',
  service: 'The service itself',
} as const;
export type Tag = keyof typeof TAGS;

export const RESPONSE_HEADERS = {
  Location: 'The address of what was made, or of where to ask later',
  'Retry-After': 'Seconds after which to ask again',
  ETag: 'Names what was answered; send it as `If-None-Match` to be answered only when it has changed',
  'Preference-Applied': '`handling=strict` when that was asked for and heard',
  'WWW-Authenticate': 'How to say who one is',
  'Set-Cookie': 'The session, or its end; absent where nobody has to sign in',
  'Content-Disposition': 'A name to save it by',
  'Content-Range': 'Which part it is',
  'Holdpoint-Plan-File': '`as-given`, or `rewritten` where the text was not kept',
  'Holdpoint-Log': 'Which attempt wrote it: run.attempt.dispatch',
  'Holdpoint-Offset': 'Its first byte, counted from the beginning of the log',
  'Holdpoint-Dropped': 'Bytes that its middle lacks',
  Upgrade: 'What to ask for',
} as const;
export type ResponseHeaderName = keyof typeof RESPONSE_HEADERS;

export type { HeaderName, ParameterName };

const NO_QUERY = z.strictObject({});
const described = new WeakMap<RequestHandler, Operation>();

/**
 * The first handler of every method of a route: says what it does, and refuses a query where there is none. The description at
 * `/openapi.json` is made from the routes that exist, so that neither can be without the other.
 */
export function documented(operation: Operation): RequestHandler {
  const mayHaveQuery = operation.query !== undefined || operation.open;
  const handler: RequestHandler = ({ query }, _response, next) => {
    // What is passed over might be taken for granted: `?strict=true`. Those with a query check it themselves.
    if (!mayHaveQuery) parseRequest(NO_QUERY, query);
    next();
  };
  described.set(handler, operation);
  return handler;
}

export const operationOf = (handler: RequestHandler): Operation | undefined => described.get(handler);

/** An answer, or a body, in JSON. */
export const json = (schema: z.ZodType, example?: unknown): Record<string, Content> => ({
  'application/json': { schema, ...(example !== undefined && { example }) },
});

/** Server-sent events: the schema is that of each of them, `data` the text of its JSON. */
export const events = {
  'text/event-stream': {
    schema: z
      .object({ id: z.string().optional(), event: z.string().optional(), data: z.string().optional() })
      .describe('Each event'),
  },
};
