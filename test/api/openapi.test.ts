import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { routesOf } from '../../src/api/openapi/routes.ts';
import { FAULTS, type FaultCode } from '../../src/faults.ts';
import { bareApi, describedApi } from '../support/conforms.ts';
import { serve } from './serve.ts';

test('every method of every address is described', () => {
  const routes = routesOf(bareApi());
  expect(routes.length).toBeGreaterThan(15);
  expect(routes.filter(({ operation }) => !operation)).toEqual([]);
});

test('what is described is there: no address is described that no route serves', () => {
  const served = routesOf(bareApi()).map(({ method, path }) => `${method} ${path.replace(/:(\w+)/g, '{$1}')}`);
  const told = Object.entries(describedApi().paths).flatMap(([path, methods]) =>
    Object.keys(methods).map((method) => `${method} ${path}`),
  );
  expect(told.sort()).toEqual(served.sort());
});

/** After a change that is meant: `npx vitest run test/api/openapi.test.ts -u`. */
test('docs/openapi.json is what the API says of itself', async () => {
  await expect(`${JSON.stringify(describedApi(), null, 2)}\n`).toMatchFileSnapshot('../../docs/openapi.json');
});

test('every reference in the description leads somewhere, and names of operations are unique', () => {
  const document = describedApi();
  const text = JSON.stringify(document);
  const references = [...text.matchAll(/"\$ref":"([^"]+)"/g)].map(([, to]) => to!);
  const components = Object.keys(document.components.schemas).map((name) => `#/components/schemas/${name}`);
  expect(references.filter((to) => !components.includes(to))).toEqual([]);
  const ids = Object.values(document.paths).flatMap((methods) => Object.values(methods).map((it) => it.operationId));
  expect(ids.length).toBe(new Set(ids).size);
  const { links } = document.paths['/api/plans']!.post!.responses[201] as { links: Record<string, unknown> };
  expect(Object.keys(links).filter((id) => !ids.includes(id))).toEqual([]);
  expect(Object.keys(links)).toContain('put_plans_id_pause');
});

test('the description is served to anybody', async () => {
  const { ask } = await serve({}, { callerOf: () => Promise.reject(new Error('nobody')), version: '9.8.7' });
  const { status, json } = await ask('GET /openapi.json');
  expect([status, json.openapi, (json.info as { version: string }).version]).toEqual([200, '3.1.0', '9.8.7']);
});

test('the page that shows it loads nothing from elsewhere, and its policy forbids it to', async () => {
  const { ask } = await serve();
  const page = await ask('GET /docs');
  expect(page.headers['content-security-policy']).toMatch(/default-src 'none'; script-src 'self'/);
  const loaded = [...page.text.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, address]) => address!);
  expect(loaded.length).toBe(4);
  for (const address of loaded) {
    expect(address).toMatch(/^\/docs\/assets\//);
    expect((await ask(`GET ${address}`)).status, address).toBe(200);
  }
  expect((await ask('GET /docs/assets/package.json')).status).toBe(404);
  expect((await ask('GET /docs/assets/../package.json')).status).toBe(404);
});

test('the table of docs/rest.md has every problem that an address may answer, with its status', () => {
  const page = readFileSync(new URL('../../docs/rest.md', import.meta.url), 'utf8');
  const table = page
    .split('## Problems')[1]!
    .split('\n')
    .filter((line) => line.startsWith('| `'))
    .map((line) => line.split('|').slice(1, 3) as [string, string]);
  const told = [...JSON.stringify(describedApi()).matchAll(/"code":\{"enum":\[([^\]]+)\]/g)];
  const codes = new Set(told.flatMap(([, list]) => JSON.parse(`[${list}]`) as FaultCode[]));
  expect(codes.size).toBeGreaterThan(20);
  const missing = [...codes].filter(
    (code) =>
      !table.some(([names, status]) => names.includes(`\`${code}\``) && status.includes(String(FAULTS[code].http))),
  );
  expect(missing).toEqual([]);
});
