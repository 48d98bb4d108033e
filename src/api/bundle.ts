import { pipeline } from 'node:stream/promises';
import { Router } from 'express';
import { z } from 'zod';
import type { PlanService } from '../service/service.ts';
import { otherMethods } from './addresses.ts';
import { callerIn } from './locals.ts';
import { documented, type Operation } from './openapi/operation.ts';

/** All that there is of a plan, as one download. */
export function bundleRoutes(service: PlanService): Router {
  const router = Router();
  router
    .route('/api/plans/:id/bundle')
    .get(documented(operation), async (request, response) => {
      const { name, read } = await service.bundle(callerIn(response), request.params.id);
      response.attachment(name).type('application/zip');
      // A reader that has gone away is no fault; a bundle that breaks off is seen by its missing end.
      await pipeline(read(), response).catch(() => response.destroy());
    })
    .all(otherMethods);
  return router;
}

const operation: Operation = {
  tag: 'story',
  summary: 'All that there is of the plan, as one zip',
  description:
    'The plan file and its definition, inputs, view, timeline, logs, declared files and large outputs; its last entry is `manifest.json`, with the size and SHA-256 of each.',
  answers: {
    200: {
      description: 'It, to be saved',
      headers: ['Content-Disposition'],
      content: { 'application/zip': { schema: z.string() } },
    },
  },
};
