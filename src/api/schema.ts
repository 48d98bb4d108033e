import { Router } from 'express';
import { z } from 'zod';
import { planFileJsonSchema } from '../service/plan-file/json-schema.ts';
import { otherMethods } from './addresses.ts';
import { documented, type Operation } from './openapi/operation.ts';

const TYPE = 'application/schema+json';

/** The format of plan files, for editors: of this very program, which may know other words than its successor. */
export function schemaRoutes(): Router {
  const router = Router();
  let text: string | undefined;
  router
    .route('/schema/plan.json')
    .get(documented(operation), (_request, response) => {
      text ??= JSON.stringify(planFileJsonSchema());
      response.type(TYPE).send(text);
    })
    .all(otherMethods);
  return router;
}

const operation: Operation = {
  tag: 'service',
  summary: 'The JSON Schema of plan files',
  description: 'For editors. What a schema cannot say, `POST /api/plans/validate` checks.',
  open: true,
  headers: ['If-None-Match'],
  answers: {
    200: {
      description: 'JSON Schema, draft 7',
      headers: ['ETag'],
      content: { [TYPE]: { schema: z.record(z.string(), z.json()) } },
    },
    304: { description: 'It is what it was' },
  },
};
