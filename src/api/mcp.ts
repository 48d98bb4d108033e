import type { IncomingMessage, ServerResponse } from 'node:http';
import { Router } from 'express';
import { z } from 'zod';
import type { Caller } from '../service/caller.ts';
import { otherMethods } from './addresses.ts';
import { callerIn } from './locals.ts';
import { documented, events, json, type Operation } from './openapi/operation.ts';

/** Answers a request of the Model Context Protocol, body and all, for a caller who is known already. */
export type AnswerMcp = (request: IncomingMessage, response: ServerResponse, caller: Caller) => Promise<void>;

/** The address at which agents call tools; another surface, under the same doorkeepers as this one. */
export function mcpRoutes(answer: AnswerMcp): Router {
  const router = Router();
  router
    .route('/mcp')
    .post(documented(operation), (request, response) => answer(request, response, callerIn(response)))
    .all(otherMethods);
  return router;
}

const message = z.looseObject({ jsonrpc: z.literal('2.0') });

const operation: Operation = {
  tag: 'service',
  summary: 'The Model Context Protocol, over Streamable HTTP',
  headerOnly: true,
  description: 'Its tools describe themselves: `tools/list`. What it refuses it refuses in its own form, JSON-RPC.',
  body: { required: true, content: json(message, { jsonrpc: '2.0', id: 1, method: 'tools/list' }) },
  answers: {
    200: {
      description: 'The answer, or a stream of messages that ends with it',
      content: { ...json(message), ...events },
    },
    202: { description: 'A notification was taken' },
  },
};
