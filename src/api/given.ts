import { Router } from 'express';
import { z } from 'zod';
import type { Json } from '../plan/json.ts';
import type { GivenInputs } from '../service/given.ts';
import type { PlanService } from '../service/service.ts';
import { otherMethods } from './addresses.ts';
import { callerIn } from './locals.ts';
import { documented, json, type Operation } from './openapi/operation.ts';

/** What the plan's latest run was made from: its file and its inputs. */
export function givenRoutes(service: PlanService): Router {
  const router = Router();
  router
    .route('/api/plans/:id/file')
    .get(documented(OPERATIONS.file), async (request, response) => {
      const { text, form } = await service.givenFile(callerIn(response), request.params.id);
      response.set({ 'Content-Type': 'text/yaml; charset=utf-8', 'Holdpoint-Plan-File': form }).send(text);
    })
    .all(otherMethods);
  router
    .route('/api/plans/:id/inputs')
    .get(documented(OPERATIONS.inputs), async (request, response) => {
      response.json(await service.givenInputs(callerIn(response), request.params.id));
    })
    .all(otherMethods);
  return router;
}

const inputs: z.ZodType<GivenInputs> = z
  .object({
    inputs: z.record(z.string(), z.custom<Json>()).describe('With the defaults of the plan file'),
    given: z.array(z.string()).describe('Names of those that somebody gave: a next run keeps them'),
  })
  .meta({ id: 'PlanInputs' });

const OPERATIONS = {
  file: {
    tag: 'plans',
    summary: 'The plan file of the latest run',
    description:
      'Its text as it was given. That of a long one is not kept: then it is what the file was read as, in YAML, with `Holdpoint-Plan-File: rewritten`.',
    headers: ['If-None-Match'],
    answers: {
      200: {
        description: 'The text',
        headers: ['Holdpoint-Plan-File', 'ETag'],
        content: { 'text/yaml': { schema: z.string() } },
      },
      304: { description: 'It is what it was' },
    },
  },
  inputs: {
    tag: 'plans',
    summary: 'The inputs of the latest run',
    answers: { 200: { description: 'They', content: json(inputs) } },
  },
} satisfies Record<string, Operation>;
