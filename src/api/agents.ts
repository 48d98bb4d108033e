import { Router } from 'express';
import { z } from 'zod';
import type { SendRequest } from '../service/agents/send.ts';
import { mustHave } from '../service/caller.ts';
import { parseRequest } from '../service/parse-request.ts';
import type { PlanService } from '../service/service.ts';
import { otherMethods } from './addresses.ts';
import { jsonBody, readBody } from './body.ts';
import { idempotencyKey } from './idempotency-key.ts';
import { callerIn } from './locals.ts';
import { documented, json, type Operation } from './openapi/operation.ts';
import { chatId, chatMessages, chatStatus, ofChat, sent } from './shapes/pipeline.ts';

const words = {
  chatId,
  resume: z
    .boolean()
    .optional()
    .describe(
      'Let the interrupted pipeline go on; a message does so in any case. Without one a fresh pipeline is started',
    ),
  projectId: z
    .string()
    .min(1)
    .max(150)
    .optional()
    .describe('What the cost is counted for, besides the chat and the day'),
  request_id: z
    .string()
    .min(1)
    .max(200)
    .optional()
    .describe('Chosen by the caller: the same again is the same message'),
};
const runBody = z.strictObject({ ...words, message: z.string() });
const sendBody = z.strictObject({ ...words, content: z.string() });

/** A chat application's way in (document 3): messages are worked by pipelines of agents. */
export function agentRoutes(service: PlanService): Router {
  const router = Router();
  router
    .route('/agents/run')
    .post(documented(OPERATIONS.run), readBody, async (request, response) => {
      const asked = parseRequest(runBody, jsonBody(request));
      const given: SendRequest = { request_id: idempotencyKey(request), ...asked, keep: false };
      response.status(202).json(await service.agents.send(callerIn(response), given));
    })
    .all(otherMethods);
  router
    .route('/messages/send')
    .post(documented(OPERATIONS.send), readBody, async (request, response) => {
      const { content, ...asked } = parseRequest(sendBody, jsonBody(request));
      const given: SendRequest = { request_id: idempotencyKey(request), ...asked, message: content, keep: true };
      response.status(202).json(await service.agents.send(callerIn(response), given));
    })
    .all(otherMethods);
  router
    .route('/messages')
    .get(documented(OPERATIONS.messages), async (request, response) => {
      const caller = callerIn(response);
      mustHave(caller, 'plan:read');
      const { chatId } = parseRequest(ofChat, request.query);
      const messages = await service.agents.messages(caller, chatId);
      response.json({ messages: messages.map(({ role, content, at }) => ({ role, content, at })) });
    })
    .all(otherMethods);
  router
    .route('/agents/status')
    .get(documented(OPERATIONS.status), async (request, response) => {
      const caller = callerIn(response);
      mustHave(caller, 'plan:read');
      const { chatId } = parseRequest(ofChat, request.query);
      response.json(await service.agents.status(caller, chatId));
    })
    .all(otherMethods);
  return router;
}

const taken: Pick<Operation, 'tag' | 'headers' | 'answers' | 'faults'> = {
  tag: 'agents',
  headers: ['Idempotency-Key'],
  answers: {
    202: { description: 'A pipeline was started, or the interrupted one goes on', content: json(sent) },
  },
  faults: ['PIPELINE_RUNNING', 'CONFIG_INVALID', 'PLAN_TOO_LARGE'],
};

const OPERATIONS = {
  run: {
    ...taken,
    summary: 'Work a message of a chat',
    description:
      'An interrupted pipeline of the chat goes on, whatever `resume` says; of a build whose research has not completed nothing is kept. Else a fresh one is started.',
    body: { required: true, content: json(runBody, { chatId: 'chat-1', message: 'Build a todo app' }) },
  },
  send: {
    ...taken,
    summary: 'The same, and keep the message',
    body: { required: true, content: json(sendBody, { chatId: 'chat-1', content: 'Build a todo app' }) },
  },
  messages: {
    tag: 'agents',
    summary: 'The messages of a chat',
    query: ofChat,
    answers: { 200: { description: 'Its last thousand; none of an unknown chat', content: json(chatMessages) } },
  },
  status: {
    tag: 'agents',
    summary: 'How a chat stands',
    query: ofChat,
    answers: { 200: { description: 'An unknown chat is not running, and has nothing', content: json(chatStatus) } },
  },
} satisfies Record<string, Operation>;
