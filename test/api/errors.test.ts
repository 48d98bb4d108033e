import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { describe, expect, test } from 'vitest';
import { FAULTS, Fault, type FaultCode } from '../../src/faults.ts';
import { ID, serve } from './serve.ts';

const codes = Object.keys(FAULTS).filter((code) => code !== 'INTERNAL') as FaultCode[];

test.each(codes)('%s is answered by its row of the table', async (code) => {
  const { ask } = await serve({ read: () => Promise.reject(new Fault(code, 'what is wrong')) });
  const { status, headers, json } = await ask(`GET /api/plans/${ID}`, { headers: { 'x-request-id': 'r-1' } });
  expect(headers['content-type']).toMatch(/^application\/problem\+json\b/);
  expect(status).toBe(FAULTS[code].http);
  expect(json).toEqual({
    type: `urn:holdpoint:problem:${code.toLowerCase().replaceAll('_', '-')}`,
    title: FAULTS[code].title,
    status,
    detail: 'what is wrong',
    code,
    instance: 'urn:holdpoint:request:r-1',
  });
});

test('what goes wrong inside is told to the log, and the answer names the line', async () => {
  const broken = new TypeError('the password is hunter2');
  const { ask, log } = await serve({ read: () => Promise.reject(broken) });
  const { status, headers, json, text } = await ask(`GET /api/plans/${ID}`);
  const id = headers['x-request-id'];
  expect([status, json.code, json.instance]).toEqual([500, 'INTERNAL', `urn:holdpoint:request:${id}`]);
  expect(text).not.toMatch(/hunter2|\.ts| {4}at /);
  const [line] = log.filter(({ level }) => level === 50);
  expect(line).toMatchObject({ request_id: id, err: { message: broken.message, stack: expect.any(String) } });
});

test.each([
  ['UNAUTHENTICATED', { 'www-authenticate': 'Bearer' }],
  ['ENGINE_UNAVAILABLE', { 'retry-after': '1' }],
] as const)('%s has the header that HTTP asks for', async (code, expected) => {
  const { ask } = await serve({}, { callerOf: () => Promise.reject(new Fault(code, 'no')) });
  const { headers, json } = await ask('POST /api/plans', { body: 'x' });
  expect([headers, json]).toMatchObject([expected, { code }]);
});

test.each([
  `GET /api/plans/${ID}`,
  `GET /api/plans/${ID}/artifacts`,
  `PUT /api/plans/${ID}/pause`,
  `DELETE /api/plans/${ID}/tasks/a/hold`,
  `POST /api/plans/${ID}/runs`,
  'POST /api/plans',
  'GET /api/me',
  'GET /api/plans',
])('%s passes over nothing in the query', async (target) => {
  const { ask, calls } = await serve();
  const { json } = await ask(`${target}?strict=true`, { body: {} });
  expect([json.status, json.code, json.detail]).toEqual([422, 'REQUEST_INVALID', expect.stringContaining('"strict"')]);
  expect(calls).toEqual([]);
});

describe('addresses', () => {
  const cases: [string, number, string][] = [
    ['GET /api', 404, 'ROUTE_NOT_FOUND'],
    ['GET /api/plan', 404, 'ROUTE_NOT_FOUND'],
    ['PUT /api/plans/x/explode', 404, 'ROUTE_NOT_FOUND'],
    ['GET /api/plans/%ZZ', 404, 'ROUTE_NOT_FOUND'],
    ['PUT /api/plans/%E0%A4%A/pause', 404, 'ROUTE_NOT_FOUND'],
    ['OPTIONS *', 404, 'ROUTE_NOT_FOUND'],
    [`GET /${'a/'.repeat(2_000)}`, 404, 'ROUTE_NOT_FOUND'],
    ['PATCH /api/plans', 405, 'GET, POST, HEAD, OPTIONS'],
    ['POST /api/plans/x/pause', 405, 'PUT, OPTIONS'],
    ['HEAD /api/plans/x/pause', 405, 'PUT, OPTIONS'],
    ['PROPFIND /api/plans/x/tasks/a/hold', 405, 'PUT, DELETE, OPTIONS'],
    ['GET /api/plans/validate', 405, 'POST, OPTIONS'],
    ['POST /healthz', 405, 'GET, HEAD, OPTIONS'],
    ['OPTIONS /api/plans', 204, 'GET, POST, HEAD, OPTIONS'],
  ];
  test.each(cases)('%s is %i', async (target, status, told) => {
    const { ask, calls } = await serve();
    const answer = await ask(target);
    expect([answer.status, calls]).toEqual([status, []]);
    if (status === 404) expect(answer.json).toMatchObject({ status, code: told, detail: expect.stringMatching(/./) });
    else expect(answer.headers.allow).toBe(told);
    if (status === 405 && !target.startsWith('HEAD')) expect(answer.json.code).toBe('METHOD_NOT_ALLOWED');
  });

  test.each([`/api/plans/${ID}`, '/api/plans', '/healthz', '/nowhere'])(
    'HEAD %s is GET without its body',
    async (path) => {
      const { ask } = await serve();
      const [get, head] = [await ask(`GET ${path}`), await ask(`HEAD ${path}`)];
      expect([head.status, head.headers['content-type'], head.text]).toEqual([
        get.status,
        get.headers['content-type'],
        '',
      ]);
    },
  );

  test('no answer says what made it or may be taken for something else', async () => {
    const { ask } = await serve();
    const { headers } = await ask('GET /<script>');
    expect(headers).not.toHaveProperty('x-powered-by');
    expect(headers).toMatchObject({ 'x-content-type-options': 'nosniff', 'cache-control': 'no-cache' });
  });
});

test('a caller who goes away in the middle of a body leaves the server up, and a line in the log', async () => {
  const { ask, log, calls, port } = await serve();
  const socket = connect(port, '127.0.0.1');
  socket.write(
    'POST /api/plans HTTP/1.1\r\nhost: localhost\r\ncontent-type: text/plain\r\ncontent-length: 100\r\n\r\nhalf',
  );
  setTimeout(() => socket.destroy(), 50);
  await text(socket).catch(() => '');
  await expect.poll(() => log.map(({ msg }) => msg)).toEqual(['request aborted']);
  expect((await ask('GET /metrics')).text).toMatch(
    /requests_total\{method="POST",route="\/api\/plans",status="aborted"\} 1/,
  );
  expect(calls).toEqual([]);
});
