import { type RequestHandler, Router } from 'express';
import type { PlanService } from '../service/service.ts';
import { otherMethods } from './addresses.ts';
import { readBody } from './body.ts';
import { commandAnswers, sendCommandAnswer } from './command-answer.ts';
import { commandBody, plainCommand, readCommand } from './command-request.ts';
import { callerIn } from './locals.ts';
import { documented, type Operation } from './openapi/operation.ts';

/** A hold on one task: it does not start before the hold is taken away. */
export function holdRoutes(service: PlanService): Router {
  const router = Router();
  const send = (name: 'hold' | 'release'): RequestHandler<{ id: string; task: string }> => {
    return async (request, response) => {
      const { id, task } = request.params;
      const body = readCommand(plainCommand, request);
      sendCommandAnswer(response, id, await service.command(callerIn(response), id, name, { ...body, task }));
    };
  };
  router
    .route('/api/plans/:id/tasks/:task/hold')
    .put(documented(operation('Hold a task: it does not start before it is released')), readBody, send('hold'))
    .delete(documented(operation('Release a task that is held')), readBody, send('release'))
    .all(otherMethods);
  router
    .route('/api/plans/:id/tasks/:task/release')
    .put(documented(operation('Release a task that is held')), readBody, send('release'))
    .all(otherMethods);
  return router;
}

const operation = (summary: string): Operation => ({
  tag: 'controls',
  summary,
  headers: ['Idempotency-Key'],
  body: commandBody(plainCommand, { comment: 'not before the freeze ends' }),
  answers: commandAnswers,
  faults: ['PLAN_INVALID_STATE', 'TASK_NOT_FOUND'],
});
