import { readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { type ClientConnectConfig, loadClientConnectConfig } from '@temporalio/envconfig';
import { Fault } from '../faults.ts';
import { oneLine } from './one-line.ts';

/** What the client's connection and the worker's both take. */
export type ClusterConnectionOptions = Pick<
  ClientConnectConfig['connectionOptions'],
  'address' | 'tls' | 'apiKey' | 'metadata'
>;

export type Cluster =
  | { kind: 'external'; address: string; namespace: string; connectionOptions: ClusterConnectionOptions }
  | { kind: 'embedded' };

/**
 * Whether an existing cluster is configured, by Temporal's own variables and profile file (those of the `temporal` CLI).
 * Throws CONFIG_INVALID that names the file or the variable.
 */
export function locateCluster(env: NodeJS.ProcessEnv = process.env): Cluster {
  const variables = withoutEmpty(env);
  const { connectionOptions, namespace = 'default' } = load(variables);
  const { address, tls, apiKey, metadata } = connectionOptions;
  if (address) return { kind: 'external', address, namespace, connectionOptions: { address, tls, apiKey, metadata } };
  refuseHalfAddress(variables);
  return { kind: 'embedded' };
}

/** A variable that is set but empty is one that is not set, except for Temporal's `TEMPORAL_GRPC_META_…`. */
function withoutEmpty(env: NodeJS.ProcessEnv): Record<string, string> {
  const isSet = (pair: [string, string | undefined]): pair is [string, string] =>
    pair[1] !== undefined && (pair[1] !== '' || pair[0].startsWith('TEMPORAL_GRPC_META_'));
  return Object.fromEntries(Object.entries(env).filter(isSet));
}

function load(env: Record<string, string>): ClientConnectConfig {
  const file = env.TEMPORAL_CONFIG_FILE ?? defaultProfileFile(env);
  try {
    const text = readProfileFile(file, env.TEMPORAL_CONFIG_FILE !== undefined);
    return loadClientConnectConfig({ overrideEnvVars: env, configSource: { data: withSomeProfile(text) } });
  } catch (error) {
    const message = `The settings for Temporal (profile file ${file} and TEMPORAL_… variables) are not valid: ${oneLine(error)}`;
    throw new Fault('CONFIG_INVALID', message, { cause: error });
  }
}

/** Where the `temporal` CLI keeps it, too. */
function defaultProfileFile(env: Record<string, string>): string {
  const home = env.HOME ?? homedir();
  const folder =
    process.platform === 'darwin'
      ? join(home, 'Library', 'Application Support')
      : (env.XDG_CONFIG_HOME ?? join(home, '.config'));
  return join(folder, 'temporalio', 'temporal.toml');
}

function readProfileFile(file: string, mustExist: boolean): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    if (!mustExist && error instanceof Error && 'code' in error && error.code === 'ENOENT') return '';
    throw error;
  }
}

/** @temporalio/envconfig 1.24.0 fails on a file without a profile; such a file just says nothing about a cluster. */
function withSomeProfile(toml: string): string {
  return /^\s*\[?\s*["']?profile\b/m.test(toml) ? toml : `${toml}\n[profile.default]\n`;
}

/** Who sets these means a cluster; an embedded server in its place would be a surprise. */
function refuseHalfAddress(env: Record<string, string>): void {
  const isMeant = (name: string) =>
    name === 'TEMPORAL_PROFILE' ||
    name === 'TEMPORAL_API_KEY' ||
    name.startsWith('TEMPORAL_TLS') ||
    (name === 'TEMPORAL_NAMESPACE' && env[name] !== 'default');
  const name = Object.keys(env).find(isMeant);
  if (!name) return;
  throw new Fault(
    'CONFIG_INVALID',
    `${name} is set, but no address of a Temporal cluster is: set TEMPORAL_ADDRESS, or unset ${name} to use the embedded server`,
  );
}
