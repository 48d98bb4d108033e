import type { Connection } from '@temporalio/client';
import type { NativeConnection } from '@temporalio/worker';
import { Fault } from '../faults.ts';
import type { ClusterConnectionOptions } from './cluster.ts';
import { oneLine } from './one-line.ts';

/** Where to connect to: an external `Cluster` or an `EmbeddedServer`. */
export interface Target {
  address: string;
  connectionOptions?: ClusterConnectionOptions;
}

/** A page of a large plan's history may be longer than the 4 MiB that are taken by default. */
const LARGEST_ANSWER_BYTES = 64 * 1_024 * 1_024;

/** A connection for starting, asking and listing. Throws ENGINE_UNAVAILABLE. The caller closes it. */
export async function connectClient(target: Target, timeoutMs = 10_000): Promise<Connection> {
  // Loaded when needed: it takes 0.3 s, which the start of the embedded server can use.
  const { Connection } = await import('@temporalio/client');
  try {
    const channelArgs = { 'grpc.max_receive_message_length': LARGEST_ANSWER_BYTES };
    return await Connection.connect({ ...optionsOf(target), connectTimeout: timeoutMs, channelArgs });
  } catch (error) {
    throw unreachable(target, error);
  }
}

/** A connection for workers; it loads the worker library, which a client does without. Throws ENGINE_UNAVAILABLE. */
export async function connectWorker(target: Target): Promise<NativeConnection> {
  const { NativeConnection } = await import('@temporalio/worker');
  try {
    return await NativeConnection.connect(optionsOf(target));
  } catch (error) {
    throw unreachable(target, error);
  }
}

const optionsOf = (target: Target) => ({ ...target.connectionOptions, address: target.address });

function unreachable(target: Target, error: unknown): Fault {
  const message = `Temporal at ${target.address} cannot be reached: ${oneLine(error)}`;
  return new Fault('ENGINE_UNAVAILABLE', message, { cause: error });
}
