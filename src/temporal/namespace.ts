import type { Connection } from '@temporalio/client';
import proto from '@temporalio/proto';
import { Fault } from '../faults.ts';
import { oneLine } from './one-line.ts';
import { registerSearchAttributes } from './register-search-attributes.ts';

export interface NamespaceReport {
  /** How long Temporal keeps what has ended. */
  retentionDays: number;
  /** Each says what is wrong, what it leads to and what to run. */
  warnings: string[];
}

const DAY_S = 24 * 60 * 60;
const EMBEDDED_RETENTION_DAYS = 3650;
const LEAST_RETENTION_DAYS = 30;

/** Makes the namespace fit for plans as far as we may, and says what is left to do. Throws ENGINE_UNAVAILABLE. */
export async function prepareNamespace(
  connection: Connection,
  { embedded, namespace }: { embedded: boolean; namespace: string },
): Promise<NamespaceReport> {
  const [retention, attributes] = await Promise.all([
    embedded ? extendRetention(connection, namespace) : readRetention(connection, namespace),
    registerSearchAttributes(connection, namespace),
  ]);
  return { retentionDays: retention, warnings: [...retentionWarning(retention, namespace), ...attributes] };
}

async function readRetention(connection: Connection, namespace: string): Promise<number> {
  try {
    const { config } = await connection.workflowService.describeNamespace({ namespace });
    return Number(config?.workflowExecutionRetentionTtl?.seconds ?? 0) / DAY_S;
  } catch (error) {
    throw new Fault('ENGINE_UNAVAILABLE', `Temporal's namespace ${namespace} cannot be read: ${oneLine(error)}`, {
      cause: error,
    });
  }
}

/** The dev server keeps what has ended for one day only. */
async function extendRetention(connection: Connection, namespace: string): Promise<number> {
  const days = await readRetention(connection, namespace);
  if (days === EMBEDDED_RETENTION_DAYS) return days;
  const workflowExecutionRetentionTtl = proto.google.protobuf.Duration.fromObject({
    seconds: EMBEDDED_RETENTION_DAYS * DAY_S,
  });
  await connection.workflowService.updateNamespace({ namespace, config: { workflowExecutionRetentionTtl } });
  return EMBEDDED_RETENTION_DAYS;
}

function retentionWarning(days: number, namespace: string): string[] {
  if (days >= LEAST_RETENTION_DAYS) return [];
  return [
    `Temporal deletes plans of namespace ${namespace} ${days} days after they ended; resume, retry, the timeline, ` +
      'once and idempotency keys last only that long. To keep them longer: ' +
      `temporal operator namespace update --namespace ${namespace} --retention ${EMBEDDED_RETENTION_DAYS}d`,
  ];
}
