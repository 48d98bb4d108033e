import { Router } from 'express';
import { z } from 'zod';
import type { PlanService } from '../service/service.ts';
import { otherMethods } from './addresses.ts';
import { jsonBody, readBody } from './body.ts';
import { commandFields, plainCommand, recordView, sendCommandAnswer } from './command-answer.ts';
import { callerIn } from './locals.ts';
import { parseRequest } from './parse-request.ts';
import { prefersStrict } from './prefer.ts';

/** The commands on a whole plan, and what the body of each may have. */
const BODIES = {
  pause: plainCommand,
  resume: plainCommand,
  stop: plainCommand,
  approve: z.strictObject({ ...commandFields, question: z.string().optional(), choice: z.string().optional() }),
};

/** Document 1's pause, resume and stop, and approve in the same form; and what became of a command. */
export function commandRoutes(service: PlanService): Router {
  const router = Router();
  for (const name of ['pause', 'resume', 'stop', 'approve'] as const)
    router
      .route(`/api/plans/:id/${name}`)
      .put(readBody, async (request, response) => {
        const strict = prefersStrict(request, response);
        const body = parseRequest(BODIES[name], jsonBody(request) ?? {});
        const { id } = request.params;
        const answer = await service.command(callerIn(response), id, name, { ...body, ...(strict && { strict }) });
        sendCommandAnswer(response, id, answer);
      })
      .all(otherMethods);
  router
    .route('/api/plans/:id/commands/:request_id')
    .get(async (request, response) => {
      const { id, request_id } = request.params;
      const { record, ...outcome } = await service.outcome(callerIn(response), id, request_id);
      response.json({ ...outcome, ...(record && { record: recordView(record) }) });
    })
    .all(otherMethods);
  return router;
}
