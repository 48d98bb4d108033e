import { Router } from 'express';
import { PERMISSIONS } from '../service/caller.ts';
import { otherMethods } from './addresses.ts';
import { callerIn } from './locals.ts';

/** Who the caller is and may do, whatever that is. */
export function meRoutes(): Router {
  const router = Router();
  router
    .route('/api/me')
    .get((_request, response) => {
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
