import { Router } from 'express';
import { z } from 'zod';
import type { Json } from '../plan/json.ts';
import type { PlanService } from '../service/service.ts';
import { otherMethods } from './addresses.ts';
import { readBody } from './body.ts';
import { commandAnswers, recordView, sendCommandAnswer } from './command-answer.ts';
import { commandBody, commandFields, readCommand } from './command-request.ts';
import { callerIn } from './locals.ts';
import { documented, json, type Operation } from './openapi/operation.ts';
import { answerRecord } from './shapes/command.ts';

const answerBody = z.strictObject({
  ...commandFields,
  choice: z.string().optional().describe('One of the question’s options'),
  values: z.record(z.string(), z.custom<Json>()).optional().describe('What its form asks for'),
});

export function questionRoutes(service: PlanService): Router {
  const router = Router();
  router
    .route('/api/plans/:id/questions/:question/answer')
    .post(documented(operation), readBody, async (request, response) => {
      const { id, question } = request.params;
      const body = readCommand(answerBody, request);
      const answer = await service.command(callerIn(response), id, 'answer', { ...body, question });
      if (answer.record) response.json(recordView(answer.record));
      else sendCommandAnswer(response, id, answer);
    })
    .all(otherMethods);
  return router;
}

const operation: Operation = {
  tag: 'questions',
  summary: 'Answer a question',
  description: 'The answer already given, given again, is answered with its first record.',
  headers: ['Idempotency-Key'],
  body: commandBody(answerBody, { choice: 'ship', comment: 'looks good' }),
  answers: {
    200: { description: 'The record of the answer', content: json(answerRecord) },
    202: commandAnswers[202]!,
  },
  faults: ['QUESTION_NOT_FOUND', 'QUESTION_CLOSED', 'ANSWER_INVALID', 'PLAN_INVALID_STATE'],
};
