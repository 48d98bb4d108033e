import { expect, test } from 'vitest';
import { Fault } from '../../src/faults.ts';
import { ID, PLAN, serve } from './serve.ts';

test('healthz is ok whatever else is', async () => {
  const { ask, calls } = await serve({ ready: async () => false });
  const { status, json } = await ask('GET /healthz');
  expect([status, json, calls]).toEqual([200, { status: 'ok' }, []]);
});

test.each([
  [true, 200, { status: 'ready' }],
  [false, 503, { code: 'ENGINE_UNAVAILABLE', status: 503 }],
])('readyz when a worker answers: %s', async (ready, status, body) => {
  const { ask } = await serve({ ready: async () => ready });
  const answer = await ask('GET /readyz');
  expect([answer.status, answer.json]).toMatchObject([status, body]);
});

test('metrics count and time requests by pattern, not by address', async () => {
  const { ask } = await serve({ read: () => Promise.reject(new Fault('PLAN_NOT_FOUND', 'none')) });
  for (const path of [`/api/plans/${ID}`, '/api/plans/a', '/api/plans/b', '/nowhere', '/elsewhere', '/healthz'])
    await ask(`GET ${path}`);
  await ask('PUT /api/plans/x/pause');
  const { headers, text } = await ask('GET /metrics');
  expect(headers['content-type']).toMatch(/^text\/plain/);
  const counted = text.split('\n').filter((line) => line.startsWith('holdpoint_http_requests_total{'));
  expect(counted.sort()).toEqual([
    'holdpoint_http_requests_total{method="GET",route="/api/plans/:id",status="404"} 3',
    'holdpoint_http_requests_total{method="GET",route="/healthz",status="200"} 1',
    'holdpoint_http_requests_total{method="GET",route="unknown",status="404"} 2',
    'holdpoint_http_requests_total{method="PUT",route="/api/plans/:id/pause",status="204"} 1',
  ]);
  expect(text).toMatch(
    /holdpoint_http_request_duration_seconds_count\{method="GET",route="\/api\/plans\/:id",status="404"\} 3/,
  );
});

test('each request is one line in the log, loud when it was refused', async () => {
  const { ask, log } = await serve({
    read: () => Promise.reject(new Fault('PLAN_NOT_FOUND', 'none')),
    list: () => Promise.reject(new Fault('ENGINE_UNAVAILABLE', 'none')),
  });
  await ask('POST /api/plans', { body: PLAN, headers: { 'x-request-id': 'mine' } });
  await ask(`GET /api/plans/${ID}`, { headers: { 'x-request-id': 'not fit' } });
  await ask('GET /api/plans?name=secret');
  const by = 'local';
  expect(log).toMatchObject([
    {
      level: 20,
      request_id: 'mine',
      method: 'POST',
      path: '/api/plans',
      plan_id: ID,
      status: 201,
      by,
      ms: expect.any(Number),
    },
    { level: 30, method: 'GET', path: `/api/plans/${ID}`, plan_id: ID, status: 404, code: 'PLAN_NOT_FOUND', by },
    { level: 40, method: 'GET', path: '/api/plans', status: 503, code: 'ENGINE_UNAVAILABLE', by },
  ]);
  expect(log[1]?.request_id).toMatch(/^[0-9a-f-]{36}$/);
});
