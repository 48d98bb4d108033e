import { Client, type Connection } from '@temporalio/client';
import type { Config } from '../config.ts';
import { locateCluster } from '../temporal/cluster.ts';
import type { Target } from '../temporal/connection.ts';
import { connectClient } from '../temporal/connection.ts';
import { type EmbeddedServer, startEmbeddedServer } from '../temporal/embedded-server.ts';
import { prepareNamespace } from '../temporal/namespace.ts';

export interface TemporalAccess {
  target: Target;
  address: string;
  namespace: string;
  uiUrl: string | undefined;
  embedded: EmbeddedServer | undefined;
  client: Client;
  warnings: string[];
  close(): Promise<void>;
}

/** The cluster that the environment names, or the home's embedded server, made ready for plans. */
export async function connectTemporal(config: Config, progress: (text: string) => void): Promise<TemporalAccess> {
  const cluster = locateCluster();
  const embedded =
    cluster.kind === 'embedded' ? await startEmbeddedServer(config, ({ detail }) => progress(detail)) : undefined;
  const target: Target = cluster.kind === 'external' ? cluster : { address: embedded!.address };
  const namespace = cluster.kind === 'external' ? cluster.namespace : embedded!.namespace;
  const connection: Connection = await connectClient(target);
  const { warnings } = await prepareNamespace(connection, { embedded: embedded !== undefined, namespace });
  return {
    target,
    address: target.address,
    namespace,
    uiUrl: embedded?.uiUrl,
    embedded,
    client: new Client({ connection, namespace }),
    warnings,
    close: () => connection.close(),
  };
}
