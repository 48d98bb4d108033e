import { execFile } from 'node:child_process';
import { readFileSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { beforeAll, expect, test } from 'vitest';
import { parse } from 'yaml';
import { isLoopback, loadConfig } from '../../src/config.ts';
import { SEARCH_ATTRIBUTES } from '../../src/contract/search-attributes.ts';
import { hasAuthentication } from '../../src/identity-config.ts';
import { connectClient } from '../../src/temporal/connection.ts';
import { startEmbeddedServer } from '../../src/temporal/embedded-server.ts';
import { prepareNamespace } from '../../src/temporal/namespace.ts';
import { obtainTemporal } from '../../src/temporal/obtain-temporal.ts';
import { serverArguments } from '../../src/temporal/server-process.ts';
import { atEnd, temporaryFolder, temporaryHome } from './home.ts';

const root = join(import.meta.dirname, '..', '..');

interface Compose {
  services: Record<
    string,
    { ports?: string[]; image?: string; environment?: Record<string, string>; volumes?: string[] }
  >;
}

let temporal: string;
beforeAll(async () => {
  temporal = await obtainTemporal(loadConfig());
}, 15 * 60_000);

test('the namespace script makes a namespace that lacks nothing, also when it is run again', async () => {
  const server = await startEmbeddedServer(temporaryHome());
  const folder = temporaryFolder();
  symlinkSync(temporal, join(folder, 'temporal'));
  const variables = { TEMPORAL_ADDRESS: server.address, TEMPORAL_NAMESPACE: 'plans' };
  const env = { PATH: `${folder}:/usr/bin:/bin`, HOME: folder, ...variables };
  const run = () => promisify(execFile)('sh', [join(root, 'deploy', 'temporal-namespace.sh')], { env });
  await run();
  await run();
  const connection = await connectClient(server);
  atEnd(() => connection.close());
  const { customAttributes } = await connection.operatorService.listSearchAttributes({ namespace: 'plans' });
  expect(Object.keys(customAttributes ?? {}).sort()).toEqual(
    Object.values(SEARCH_ATTRIBUTES)
      .map(({ name }) => name)
      .sort(),
  );
  expect(await prepareNamespace(connection, { embedded: false, namespace: 'plans' })).toEqual({
    retentionDays: 3650,
    warnings: [],
  });
});

test('the cluster of the compose file has the settings of the embedded server', () => {
  const file: Record<string, { value: unknown }[]> = parse(
    readFileSync(join(root, 'deploy', 'temporal-dynamic-config.yaml'), 'utf8'),
  );
  const flags = Object.entries(file).map(([key, [first]]) => `${key}=${JSON.stringify(first?.value)}`);
  const embedded = serverArguments(loadConfig({}), { port: 1, ui_port: 2 }).filter(
    (_, index, all) => all[index - 1] === '--dynamic-config-value',
  );
  // What the dev server sets otherwise is a cluster's default.
  const forDevServerOnly = 'system.forceSearchAttributesCacheRefreshOnRead=false';
  expect(flags.sort()).toEqual(embedded.filter((flag) => flag !== forDevServerOnly).sort());
});

test('the compose file lets nothing be reached from another machine', () => {
  const { services }: Compose = parse(readFileSync(join(root, 'docker-compose.yml'), 'utf8'));
  const published = Object.values(services).flatMap(({ ports = [] }) => ports);
  expect(published.length).toBeGreaterThan(0);
  for (const port of published) expect(port).toMatch(/^127\.0\.0\.1:\d+:\d+$/);
});

test('Holdpoint in the compose file asks for keys, and is ready to be published', () => {
  const { services }: Compose = parse(readFileSync(join(root, 'docker-compose.yml'), 'utf8'));
  const { environment = {}, ports, volumes } = services.holdpoint!;
  const { host, port, identity } = loadConfig(environment);
  expect(hasAuthentication(identity)).toBe(true);
  expect(isLoopback(host)).toBe(false);
  expect(ports).toEqual([`127.0.0.1:${port}:${port}`]);
  expect(environment.TEMPORAL_ADDRESS).toBe('temporal:7233');
  const folder = identity.apiKeys!.replace(/\/[^/]+$/, '');
  expect(volumes).toContain(`.${folder}:${folder}:ro`);
});

test('the compose file runs the server version that the embedded server has', () => {
  const { services }: Compose = parse(readFileSync(join(root, 'docker-compose.yml'), 'utf8'));
  const module = readFileSync(join(root, 'src', 'temporal', 'dev-server', 'go.mod'), 'utf8');
  const version = services.temporal?.image?.split(':')[1];
  expect(module).toContain(`go.temporal.io/server v${version} `);
});
