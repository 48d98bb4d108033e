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
  /** What is wrong with the namespace, once that has been looked at: of a server that was there already, while the rest starts. */
  warnings: Promise<string[]>;
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
  const warnings = prepareNamespace(connection, { embedded: embedded !== undefined, namespace }).then(
    (report) => report.warnings,
  );
  // Whoever started an adopted server has made its namespace ready; a failure shows when it is awaited.
  warnings.catch(() => {});
  if (!embedded?.adopted) await warnings;
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
