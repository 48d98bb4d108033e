import { Router } from 'express';
import type { Registry } from 'prom-client';
import { Fault } from '../faults.ts';
import { mustHave } from '../service/caller.ts';
import type { PlanService } from '../service/service.ts';
import { otherMethods } from './addresses.ts';
import { callerIn } from './locals.ts';

/** For supervisors and Prometheus: the process is up; it can do its work; how it fares. */
export function healthRoutes(service: PlanService, registry: Registry): Router {
  const router = Router();
  router
    .route('/healthz')
    .get((_request, response) => {
      response.json({ status: 'ok' });
    })
    .all(otherMethods);
  router
    .route('/readyz')
    .get(async (_request, response) => {
      if (!(await service.ready())) throw new Fault('ENGINE_UNAVAILABLE', 'no worker answers');
      response.json({ status: 'ready' });
    })
    .all(otherMethods);
  router
    .route('/metrics')
    .get(async (_request, response) => {
      // It tells of all organisations.
      mustHave(callerIn(response), 'admin');
      response.set('Content-Type', registry.contentType).send(await registry.metrics());
    })
    .all(otherMethods);
  return router;
}
