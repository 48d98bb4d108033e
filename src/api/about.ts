import { Router } from 'express';
import { z } from 'zod';
import { otherMethods } from './addresses.ts';
import { documented, json, type Operation } from './openapi/operation.ts';

/** What pages need to know of the program, and of the Temporal that its plans are in. */
export type About = z.infer<typeof about>;

const about = z
  .object({
    version: z.string(),
    authentication: z.enum(['none', 'required']).describe('`none`: everybody is the user of this machine'),
    temporal: z.object({
      namespace: z.string(),
      ui_url: z
        .url()
        .nullable()
        .describe('Where the Temporal Web UI begins, without a slash at its end; null where the caller may reach none'),
    }),
  })
  .meta({ id: 'About' });

export function aboutRoutes(told: About): Router {
  const router = Router();
  router
    .route('/api/about')
    .get(documented(operation), (_request, response) => {
      response.json(told);
    })
    .all(otherMethods);
  return router;
}

const operation: Operation = {
  tag: 'service',
  summary: 'Which program this is, and where the Temporal Web UI is',
  answers: { 200: { description: 'That', content: json(about) } },
};
