import { Router } from 'express';
import { chatKey } from '../service/agents/chat-id.ts';
import { mustHave } from '../service/caller.ts';
import { parseRequest } from '../service/parse-request.ts';
import type { PlanService } from '../service/service.ts';
import { otherMethods } from './addresses.ts';
import { openLastingStream, type StreamEnds } from './lasting-stream.ts';
import { callerIn } from './locals.ts';
import { documented, events, type Operation } from './openapi/operation.ts';
import { ofChat } from './shapes/pipeline.ts';

/** What happens in a chat as it happens, as server-sent events; never ends by itself. The same as a WebSocket: `/api/ws?chatId=`. */
export function agentEventRoutes(service: PlanService, ends: StreamEnds): Router {
  const router = Router();
  router
    .route('/agents/events')
    .get(documented(operation), async (request, response) => {
      const caller = callerIn(response);
      mustHave(caller, 'plan:read');
      const { chatId } = parseRequest(ofChat, request.query);
      chatKey(chatId);
      if (request.method === 'HEAD') return void response.type('text/event-stream').end();
      const stream = openLastingStream(request, response, ends);
      for await (const { type, payload } of service.agents.follow(caller, chatId, stream.gone))
        await stream.send({ event: type, data: { type, payload } });
      stream.close();
    })
    .all(otherMethods);
  return router;
}

const operation: Operation = {
  tag: 'agents',
  summary: 'What happens in a chat as it happens, as server-sent events',
  description:
    'Each event is named by its `type` and has `{type, payload}` as data: `pipeline_plan`, `agent_status`, `agent_error`, `pipeline_interrupted`, `pipeline_completed`, `limit_warning`, `pipeline_checkpoint`, `pipeline_checkpoint_resolved`. Whoever connects, again or for the first time, is told first how the newest run stands.',
  query: ofChat,
  answers: { 200: { description: 'Events', content: events } },
};
