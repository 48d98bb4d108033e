import { Router } from 'express';
import type { Registry } from 'prom-client';
import { z } from 'zod';
import { Fault } from '../faults.ts';
import { mustHave } from '../service/caller.ts';
import type { PlanService } from '../service/service.ts';
import { otherMethods } from './addresses.ts';
import { callerIn } from './locals.ts';
import { documented, json, type Operation } from './openapi/operation.ts';

/** For supervisors and Prometheus: the process is up; it can do its work; how it fares. */
export function healthRoutes(service: PlanService, registry: Registry): Router {
  const router = Router();
  router
    .route('/healthz')
    .get(documented(OPERATIONS.health), (_request, response) => {
      response.json({ status: 'ok' });
    })
    .all(otherMethods);
  router
    .route('/readyz')
    .get(documented(OPERATIONS.readiness), async (_request, response) => {
      if (!(await service.ready())) throw new Fault('ENGINE_UNAVAILABLE', 'no worker answers');
      response.json({ status: 'ready' });
    })
    .all(otherMethods);
  router
    .route('/metrics')
    .get(documented(OPERATIONS.metrics), async (_request, response) => {
      // It tells of all organisations.
      mustHave(callerIn(response), 'admin');
      response.set('Content-Type', registry.contentType).send(await registry.metrics());
    })
    .all(otherMethods);
  return router;
}

const OPERATIONS = {
  health: {
    tag: 'service',
    summary: 'The process is up',
    open: true,
    answers: { 200: { description: 'It is', content: json(z.object({ status: z.literal('ok') })) } },
  },
  readiness: {
    tag: 'service',
    summary: 'A worker answered just now',
    open: true,
    answers: { 200: { description: 'It did', content: json(z.object({ status: z.literal('ready') })) } },
    faults: ['ENGINE_UNAVAILABLE'],
  },
  metrics: {
    tag: 'service',
    summary: 'How it fares, for Prometheus',
    answers: { 200: { description: 'Metrics', content: { 'text/plain': { schema: z.string() } } } },
  },
} satisfies Record<string, Operation>;
