import { type RequestHandler, Router } from 'express';
import type { PlanService } from '../service/service.ts';
import { otherMethods } from './addresses.ts';
import { jsonBody, readBody } from './body.ts';
import { plainCommand, sendCommandAnswer } from './command-answer.ts';
import { callerIn } from './locals.ts';
import { parseRequest } from './parse-request.ts';

/** A hold on one task: it does not start before the hold is taken away. */
export function holdRoutes(service: PlanService): Router {
  const router = Router();
  const send = (name: 'hold' | 'release'): RequestHandler<{ id: string; task: string }> => {
    return async (request, response) => {
      const { id, task } = request.params;
      const body = parseRequest(plainCommand, jsonBody(request) ?? {});
      sendCommandAnswer(response, id, await service.command(callerIn(response), id, name, { ...body, task }));
    };
  };
  router
    .route('/api/plans/:id/tasks/:task/hold')
    .put(readBody, send('hold'))
    .delete(readBody, send('release'))
    .all(otherMethods);
  return router;
}
