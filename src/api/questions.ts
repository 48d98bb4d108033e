import { Router } from 'express';
import { z } from 'zod';
import type { Json } from '../plan/json.ts';
import type { PlanService } from '../service/service.ts';
import { otherMethods } from './addresses.ts';
import { jsonBody, readBody } from './body.ts';
import { commandFields, recordView, sendCommandAnswer } from './command-answer.ts';
import { callerIn } from './locals.ts';
import { parseRequest } from './parse-request.ts';

const answerBody = z.strictObject({
  ...commandFields,
  choice: z.string().optional(),
  values: z.record(z.string(), z.custom<Json>()).optional(),
});

export function questionRoutes(service: PlanService): Router {
  const router = Router();
  router
    .route('/api/plans/:id/questions/:question/answer')
    .post(readBody, async (request, response) => {
      const { id, question } = request.params;
      const body = parseRequest(answerBody, jsonBody(request) ?? {});
      const answer = await service.command(callerIn(response), id, 'answer', { ...body, question });
      if (answer.record) response.json(recordView(answer.record));
      else sendCommandAnswer(response, id, answer);
    })
    .all(otherMethods);
  return router;
}
