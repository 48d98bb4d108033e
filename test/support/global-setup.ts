import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { bundleWorkflowCode, DefaultLogger } from '@temporalio/worker';
import type { TestProject } from 'vitest/node';
import { loadConfig } from '../../src/config.ts';
import { connectClient } from '../../src/temporal/connection.ts';
import { startEmbeddedServer } from '../../src/temporal/embedded-server.ts';
import { prepareNamespace } from '../../src/temporal/namespace.ts';

declare module 'vitest' {
  interface ProvidedContext {
    temporal: string;
    bundle: string;
  }
}

/** One real Temporal server and one bundle of the workflow code for all tests that want them. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const home = mkdtempSync(join(tmpdir(), 'holdpoint-suite-'));
  const config = loadConfig({ ...process.env, HOLDPOINT_HOME: home });
  const server = await startEmbeddedServer(config, ({ detail }) => console.error(detail));
  const connection = await connectClient(server);
  await prepareNamespace(connection, { embedded: true, namespace: server.namespace });
  await connection.close();
  const workflowsPath = join(import.meta.dirname, '../../src/workflows/index.ts');
  const { code } = await bundleWorkflowCode({ workflowsPath, logger: new DefaultLogger('ERROR') });
  const bundle = join(home, 'bundle.js');
  writeFileSync(bundle, code);
  project.provide('temporal', server.address);
  project.provide('bundle', bundle);
  return async () => {
    await server.stop();
    rmSync(home, { recursive: true, force: true });
  };
}
