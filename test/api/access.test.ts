import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Express } from 'express';
import pino from 'pino';
import { Registry } from 'prom-client';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createApi } from '../../src/api/api.ts';
import type { FaultCode } from '../../src/faults.ts';
import { createAuthentication } from '../../src/identity/authentication.ts';
import { mcpOverHttp } from '../../src/mcp/http.ts';
import { PERMISSIONS, type Permission } from '../../src/service/caller.ts';
import { startWorld, tempDir, until } from '../support/world.ts';
import { PLACE } from './serve.ts';

interface Access {
  /** What callers need: nothing at all, a key, or a permission. */
  needs: 'nothing' | 'a key' | Permission;
  body?: object | string;
  /** What those who may are told, where the plan of this test has nothing there. */
  lacks?: FaultCode;
}

const CATALOG = {
  catalog: 1,
  name: 'access',
  entities: {
    Pokemon: { fields: { id: 'integer' }, list: { http: { url: 'https://api.example.org/' }, items: 'body' } },
  },
};
const QUESTION = 'plan: 1\nname: gate\ntasks:\n  ok: { approve: Go on? }\n';

/**
 * Every route and verb of the API, and what its callers need. A route that is not here fails the test: say here who may use
 * it, and the walk below checks that it is so.
 */
const ROUTES: Record<string, Access> = {
  'GET /healthz': { needs: 'nothing' },
  'GET /readyz': { needs: 'nothing' },
  'GET /openapi.json': { needs: 'nothing' },
  'GET /docs': { needs: 'nothing' },
  'GET /schema/plan.json': { needs: 'nothing' },
  // Whose key it is that they bring, test/api/session.test.ts asks.
  'POST /api/session': { needs: 'nothing', body: { token: 'any' } },
  'DELETE /api/session': { needs: 'nothing' },
  'GET /metrics': { needs: 'admin' },
  // What each tool needs, test/mcp/permissions.test.ts says.
  'POST /mcp': { needs: 'a key', body: { jsonrpc: '2.0', id: 1, method: 'tools/list' } },
  'GET /api/me': { needs: 'a key' },
  'GET /api/about': { needs: 'a key' },
  'GET /api/plans': { needs: 'plan:read' },
  'POST /api/plans': { needs: 'plan:create', body: QUESTION },
  'POST /api/plans/validate': { needs: 'plan:create', body: QUESTION },
  'GET /api/plans/:id': { needs: 'plan:read' },
  'GET /api/plans/:id/file': { needs: 'plan:read' },
  'GET /api/plans/:id/inputs': { needs: 'plan:read' },
  'PUT /api/plans/:id/pause': { needs: 'plan:approve' },
  'PUT /api/plans/:id/resume': { needs: 'plan:approve' },
  'PUT /api/plans/:id/stop': { needs: 'plan:approve' },
  'PUT /api/plans/:id/approve': { needs: 'plan:approve' },
  'GET /api/plans/:id/commands/:request_id': { needs: 'plan:read', lacks: 'COMMAND_NOT_FOUND' },
  'POST /api/plans/:id/questions/:question/answer': { needs: 'plan:approve', body: { choice: 'approve' } },
  'PUT /api/plans/:id/tasks/:task/hold': { needs: 'plan:approve' },
  'DELETE /api/plans/:id/tasks/:task/hold': { needs: 'plan:approve' },
  'PUT /api/plans/:id/tasks/:task/release': { needs: 'plan:approve' },
  'POST /api/plans/:id/runs': { needs: 'plan:approve', body: { mode: 'retry' } },
  'GET /api/plans/:id/timeline': { needs: 'plan:read' },
  'GET /api/plans/:id/events': { needs: 'plan:read' },
  'GET /api/ws': { needs: 'a key', lacks: 'UPGRADE_REQUIRED' },
  'POST /api/ws/ticket': { needs: 'plan:read' },
  'GET /api/plans/:id/tasks/:task/logs': { needs: 'plan:read' },
  'GET /api/plans/:id/tasks/:task/outputs/:name': { needs: 'plan:read', lacks: 'OUTPUT_NOT_FOUND' },
  'GET /api/plans/:id/artifacts': { needs: 'plan:read' },
  'GET /api/plans/:id/bundle': { needs: 'plan:read' },
  'GET /api/plans/:id/artifacts/:sha256': { needs: 'plan:read', lacks: 'OUTPUT_NOT_FOUND' },
  'GET /settings/limits': { needs: 'plan:read' },
  'PUT /settings/limits': { needs: 'admin', body: { maxTokensPerDay: null } },
  'GET /api/plans/:id/budget': { needs: 'plan:read' },
  'PUT /api/plans/:id/budget': { needs: 'plan:approve', body: { max_tokens: 1_000 } },
  'POST /agents/run': { needs: 'plan:create', body: { chatId: 'access', message: 'Build it' } },
  'POST /messages/send': { needs: 'plan:create', body: { chatId: 'access', content: 'Build it' } },
  'GET /messages': { needs: 'plan:read', lacks: 'REQUEST_INVALID' },
  'GET /agents/status': { needs: 'plan:read', lacks: 'REQUEST_INVALID' },
  'GET /agents/events': { needs: 'plan:read', lacks: 'REQUEST_INVALID' },
  // The plan of this test is no pipeline.
  'GET /agents/runs/:id': { needs: 'plan:read', lacks: 'PLAN_NOT_FOUND' },
  'POST /agents/runs/:id/checkpoint': { needs: 'plan:approve', body: { option: 'x' }, lacks: 'PLAN_NOT_FOUND' },
  'POST /agents/runs/:id/dismiss': { needs: 'plan:approve', lacks: 'PLAN_NOT_FOUND' },
  'POST /agents/runs/:id/retry': { needs: 'plan:approve', lacks: 'PLAN_NOT_FOUND' },
  'GET /catalogs': { needs: 'plan:read' },
  'POST /catalogs': { needs: 'plan:create', body: CATALOG },
  'GET /catalogs/:prompt_hash': { needs: 'plan:read', lacks: 'CATALOG_NOT_FOUND' },
  'GET /execute': { needs: 'plan:read' },
  // What each program needs, test/service/execute.test.ts says.
  'POST /execute/:prompt_hash/:session': {
    needs: 'plan:create',
    body: { program: 'Pokemon' },
    lacks: 'CATALOG_NOT_FOUND',
  },
  'GET /execute/:prompt_hash/:session/operations': { needs: 'plan:read', lacks: 'CATALOG_NOT_FOUND' },
  'GET /execute/:prompt_hash/:session/operations/:handle': { needs: 'plan:read', lacks: 'CATALOG_NOT_FOUND' },
  'GET /execute/:prompt_hash/:session/operations/:handle/rows': { needs: 'plan:read', lacks: 'CATALOG_NOT_FOUND' },
  'GET /execute/:prompt_hash/:session/operations/:handle/stream': { needs: 'plan:read', lacks: 'CATALOG_NOT_FOUND' },
  'GET /execute/:prompt_hash/:session/operations/:handle/timeline': { needs: 'plan:read', lacks: 'CATALOG_NOT_FOUND' },
  'POST /execute/:prompt_hash/:session/operations/:handle/cancel': {
    needs: 'plan:approve',
    lacks: 'CATALOG_NOT_FOUND',
  },
};

/** Who calls: each permission alone, all but each, none, and all; and all of another organisation. */
const SETS: Record<string, readonly Permission[]> = {
  nobody: [],
  everybody: PERMISSIONS.filter((one) => one !== 'admin'),
  ...Object.fromEntries(PERMISSIONS.map((one) => [`only-${one}`, [one]])),
  ...Object.fromEntries(
    PERMISSIONS.map((one) => [`all-but-${one}`, PERMISSIONS.filter((p) => p !== one && p !== 'admin')]),
  ),
};
const keyOf = (name: string, org_id: string, permissions: readonly Permission[]) => {
  const id = name.replaceAll(':', '-');
  return { key: `secret-${org_id}-${id}`, id, name, org_id, permissions };
};

let world: Awaited<ReturnType<typeof startWorld>>;
let url: string;
let routes: string[];
let end: () => void;

beforeAll(async () => {
  world = await startWorld();
  const file = join(tempDir('keys'), 'keys.json');
  const entries = Object.entries(SETS).flatMap(([name, permissions]) =>
    ['acme', 'evil'].map((org_id) => keyOf(name, org_id, permissions)),
  );
  writeFileSync(file, JSON.stringify(entries), { mode: 0o600 });
  const logger = pino({ level: 'silent' });
  const config = { apiKeys: file, jwt: undefined, rateLimit: undefined, trustedProxies: [] };
  const { callerOf, stop } = createAuthentication(config, logger, { mostWrong: 100_000 })!;
  const { service } = world;
  const place = () => ({ env: PLACE.env });
  const mcp = mcpOverHttp(service, { place, onInternal() {}, version: '1.2.3' });
  const app = createApi({ service, logger, registry: new Registry(), place, callerOf, mcp });
  routes = routesOf(app);
  const server = app.listen(0, '127.0.0.1');
  await until('the API listens', () => server.listening);
  url = `http://127.0.0.1:${(server.address() as { port: number }).port}`;
  end = () => {
    server.closeAllConnections();
    server.close();
    stop();
  };
});
afterAll(async () => {
  end();
  await world.stop();
});

interface Layer {
  route?: { path: string; methods: Record<string, boolean> };
  handle?: { stack?: Layer[] };
}

/** Every verb and address that the application has, from its own routers. */
function routesOf(app: Express): string[] {
  const inside = (stack: Layer[]): string[] =>
    stack.flatMap(({ route, handle }) =>
      route
        ? Object.keys(route.methods)
            .filter((method) => method !== '_all')
            .map((method) => `${method.toUpperCase()} ${route.path}`)
        : inside(handle?.stack ?? []),
    );
  return inside((app.router as unknown as { stack: Layer[] }).stack);
}

/** The head of an answer, and its body if it is a problem; a stream is not waited for. */
async function ask(
  route: string,
  { key, plan, body, ...more }: { key?: string | undefined; plan?: string } & Omit<Access, 'needs'> & { id?: string },
) {
  const [method, pattern] = route.split(' ') as [string, string];
  const given: Record<string, string> = { id: plan ?? '', request_id: 'r', question: 'ok', task: 'ok' };
  const path = pattern.replace(/:(\w+)/g, (_, name: string) => given[name] ?? 'x');
  const response = await fetch(url + path, {
    method,
    headers: {
      ...(key && { authorization: `Bearer ${key}` }),
      ...(body !== undefined && { 'content-type': typeof body === 'string' ? 'application/yaml' : 'application/json' }),
      ...(more.id && { 'x-request-id': more.id }),
    },
    ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  });
  const isProblem = response.headers.get('content-type')?.startsWith('application/problem+json');
  const text = isProblem ? await response.text() : '';
  if (!isProblem) await response.body?.cancel();
  return { status: response.status, text, headers: response.headers, code: text && JSON.parse(text).code };
}

async function newPlan(): Promise<string> {
  const headers = { authorization: 'Bearer secret-acme-everybody', 'content-type': 'application/yaml' };
  const response = await fetch(`${url}/api/plans`, { method: 'POST', headers, body: QUESTION });
  return ((await response.json()) as { plan_id: string }).plan_id;
}

const listed = Object.entries(ROUTES);
const ofPlan = listed.filter(([route]) => route.includes(':id'));

test('every route of the API is known here', () => {
  expect(routes.sort()).toEqual(Object.keys(ROUTES).sort());
});

test.each(listed)('%s is for nobody without a good key', async (route, { needs, body }) => {
  const plan = await newPlan();
  const keys = [undefined, 'nonsense', 'secret-acme-everybod', 'secret-acme-everybody2', 'a.b.c'];
  for (const key of keys) {
    const answer = await ask(route, { key, plan, body });
    if (needs === 'nothing') expect([200, 204], `with ${key}`).toContain(answer.status);
    else {
      expect(answer, `with ${key}`).toMatchObject({ status: 401, code: 'UNAUTHENTICATED' });
      expect(answer.headers.get('www-authenticate')).toBe('Bearer');
    }
  }
});

test.each(listed)('%s is for those who have the permission', async (route, { needs, body, lacks }) => {
  const shared = await newPlan();
  for (const [name, permissions] of Object.entries(SETS)) {
    const { key } = keyOf(name, 'acme', permissions);
    const may =
      needs === 'nothing' || needs === 'a key' || permissions.includes(needs) || permissions.includes('admin');
    const plan = may ? await newPlan() : shared;
    const { status, code } = await ask(route, { key, plan, body });
    if (may && lacks) expect({ name, code }).toEqual({ name, code: lacks });
    else if (may) expect([401, 403, 404, 405, 500, 503], `${name}: ${code}`).not.toContain(status);
    else expect({ name, status, code }).toEqual({ name, status: 403, code: 'PLAN_FORBIDDEN' });
  }
});

test.each(ofPlan)('%s does not tell another organisation that the plan is there', async (route, { needs, body }) => {
  const plan = crypto.randomUUID();
  const askAll = () =>
    Promise.all(
      Object.entries(SETS).map(async ([name, permissions]) => {
        const { key } = keyOf(name, 'evil', permissions);
        const { status, text } = await ask(route, { key, plan, body, id: 'the-same-request' });
        return { name, status, text };
      }),
    );
  const before = await askAll();
  await fetch(`${url}/api/plans`, {
    method: 'POST',
    headers: { authorization: 'Bearer secret-acme-everybody', 'content-type': 'application/json' },
    body: JSON.stringify({ plan: QUESTION, plan_id: plan }),
  });
  expect(await ask('GET /api/plans/:id', { key: 'secret-acme-everybody', plan })).toMatchObject({ status: 200 });
  expect(await askAll()).toEqual(before);
  const wanted = Object.entries(SETS).map(([name, permissions]) => {
    const may = permissions.includes(needs as Permission) || permissions.includes('admin');
    const [status, code] = may ? [404, 'PLAN_NOT_FOUND'] : [403, 'PLAN_FORBIDDEN'];
    return { name, status, text: expect.stringContaining(`"${code}"`) };
  });
  expect(before).toEqual(wanted);
});

test.each([...new Set(listed.map(([route]) => route.split(' ')[1]!))])(
  'any other verb on %s tells a stranger nothing',
  async (path) => {
    if (listed.some(([route, { needs }]) => route.endsWith(` ${path}`) && needs === 'nothing')) return;
    for (const method of ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'HEAD'])
      expect((await ask(`${method} ${path}`, { plan: crypto.randomUUID() })).status, method).toBe(401);
  },
);

test('who calls is asked before a body is read, however large or broken', async () => {
  const body = 'x'.repeat(11 * 1_024 * 1_024);
  expect(await ask('POST /api/plans', { body })).toMatchObject({ status: 401 });
  expect(await ask('POST /api/plans', { body, key: 'secret-acme-everybody' })).toMatchObject({ status: 413 });
  expect(await ask('POST /api/nowhere', { body: '{' })).toMatchObject({ status: 401 });
});

const COMMANDS = {
  'a task': '  a: { run: "true" }',
  'a map': '  a: { map: { in: [1], task: { run: "true" } } }',
  'a sub-plan': '  a: { plan: { tasks: { b: { run: "true" } } } }',
  'a sub-plan of a map': '  a: { map: { in: [1], task: { plan: { tasks: { b: { run: "true" } } } } } }',
  'a handler': '  a: { set: { x: 1 } }\nfinally: { run: "true" }',
  'a handler that is a sub-plan': '  a: { set: { x: 1 } }\non_failure: { plan: { tasks: { b: { run: "true" } } } }',
};

test.each(Object.entries(COMMANDS))('commands in %s need plan:run_commands', async (_, tasks) => {
  const body = `plan: 1\nname: commands\ntasks:\n${tasks}\n`;
  const answer = await ask('POST /api/plans', { body, key: 'secret-acme-all-but-plan-run_commands' });
  expect(answer, answer.text).toMatchObject({ status: 403, code: 'PLAN_FORBIDDEN' });
  expect(answer.text).toContain('plan:run_commands');
  expect(await ask('POST /api/plans', { body, key: 'secret-acme-everybody' })).toMatchObject({ status: 201 });
});

test('the next run of a plan with commands is for those who may run commands', async () => {
  const as = (name: string) => ({ authorization: `Bearer secret-acme-${name}`, 'content-type': 'application/yaml' });
  const body = 'plan: 1\nname: fails\ntasks:\n  a: { run: "false" }\n';
  const made = await fetch(`${url}/api/plans`, { method: 'POST', headers: as('everybody'), body });
  const { plan_id: plan } = (await made.json()) as { plan_id: string };
  const status = async () => {
    const response = await fetch(`${url}/api/plans/${plan}`, { headers: as('everybody') });
    return ((await response.json()) as { state: { status: string } }).state.status;
  };
  await until('it failed', async () => (await status()) === 'failed');
  const again = { plan, body: { mode: 'retry' } };
  for (const name of ['only-plan-approve', 'all-but-plan-run_commands'])
    expect(await ask('POST /api/plans/:id/runs', { ...again, key: `secret-acme-${name}` })).toMatchObject({
      status: 403,
    });
  expect(await ask('POST /api/plans/:id/runs', { ...again, key: 'secret-acme-everybody' })).toMatchObject({
    status: 202,
  });
});
