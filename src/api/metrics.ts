import type { RequestHandler } from 'express';
import { Counter, Histogram, type Registry } from 'prom-client';
import { routeOf } from './addresses.ts';
import { statusOf } from './locals.ts';

const labelNames = ['method', 'route', 'status'] as const;

/** Counts and times requests by the pattern of their address, never by the address: that would be a series per plan. */
export function measureRequests(registry: Registry): RequestHandler {
  const registers = [registry];
  const name = 'holdpoint_http_requests_total';
  const requests = new Counter({ name, help: 'Requests answered', labelNames, registers });
  const durations = new Histogram({
    name: 'holdpoint_http_request_duration_seconds',
    help: 'How long requests took',
    labelNames,
    registers,
    buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
  });
  return (request, response, next) => {
    const start = performance.now();
    response.on('close', () => {
      const status = statusOf(response) ?? 'aborted';
      const labels = { method: request.method, route: routeOf(request), status };
      requests.inc(labels);
      durations.observe(labels, (performance.now() - start) / 1_000);
    });
    next();
  };
}
