import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { bundleWorkflowCode, DefaultLogger } from '@temporalio/worker';
import type { TestProject } from 'vitest/node';
import { loadConfig } from '../../src/config.ts';
import { connectClient } from '../../src/temporal/connection.ts';
import { type EmbeddedServer, startEmbeddedServer } from '../../src/temporal/embedded-server.ts';
import { prepareNamespace } from '../../src/temporal/namespace.ts';
import { PRELOADED } from '../../src/worker/bundle.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** Addresses, one for each process that runs test files. */
    temporals: string[];
    bundle: string;
  }
}

/** A real Temporal server for each process that runs test files, and one bundle of the workflow code for all of them. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const home = mkdtempSync(join(tmpdir(), 'holdpoint-suite-'));
  const servers: EmbeddedServer[] = [];
  for (let n = 0; n < project.config.maxWorkers; n++) servers.push(await startServer(join(home, `${n}`)));
  const workflowsPath = join(import.meta.dirname, '../../src/workflows/index.ts');
  const { code } = await bundleWorkflowCode({ workflowsPath, ...PRELOADED, logger: new DefaultLogger('ERROR') });
  const bundle = join(home, 'bundle.js');
  writeFileSync(bundle, code);
  project.provide(
    'temporals',
    servers.map(({ address }) => address),
  );
  project.provide('bundle', bundle);
  return async () => {
    await Promise.all(servers.map((server) => server.stop()));
    rmSync(home, { recursive: true, force: true });
  };
}

async function startServer(home: string): Promise<EmbeddedServer> {
  const config = loadConfig({ ...process.env, HOLDPOINT_HOME: home });
  const server = await startEmbeddedServer(config, ({ detail }) => console.error(detail));
  const connection = await connectClient(server);
  await prepareNamespace(connection, { embedded: true, namespace: server.namespace });
  await connection.close();
  return server;
}
