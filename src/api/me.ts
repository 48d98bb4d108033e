import { Router } from 'express';
import { z } from 'zod';
import { PERMISSIONS } from '../service/caller.ts';
import { otherMethods } from './addresses.ts';
import { callerIn } from './locals.ts';
import { documented, json, type Operation } from './openapi/operation.ts';
import { time } from './shapes/plan-state.ts';

/** Who the caller is and may do, whatever that is. */
export function meRoutes(): Router {
  const router = Router();
  router
    .route('/api/me')
    .get(documented(operation), (_request, response) => {
      const { principal, permissions, expires_at } = callerIn(response);
      response.json({
        ...principal,
        permissions: permissions.includes('admin') ? PERMISSIONS : permissions,
        expires_at: expires_at === undefined ? null : new Date(expires_at).toISOString(),
      });
    })
    .all(otherMethods);
  return router;
}

const me = z
  .object({
    id: z.string(),
    name: z.string(),
    org_id: z.string(),
    permissions: z.array(z.enum(PERMISSIONS)),
    expires_at: time.nullable(),
  })
  .meta({ id: 'Me' });

const operation: Operation = {
  tag: 'service',
  summary: 'Who the caller is, and may do',
  answers: { 200: { description: 'That', content: json(me) } },
};
