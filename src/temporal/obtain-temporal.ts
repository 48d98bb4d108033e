import { join } from 'node:path';
import type { Config } from '../config.ts';
import { Fault } from '../faults.ts';
import { withHomeLock } from '../home/home-lock.ts';
import { buildTemporal, goVersionNeeded } from './build-temporal.ts';
import { makeIntoCache } from './cache.ts';
import { downloadTemporal } from './download-temporal.ts';
import { oneLine } from './one-line.ts';
import { type OnProgress, progressOf } from './progress.ts';
import {
  checkRecentTemporal,
  checkTemporal,
  findOnPath,
  isExecutable,
  TEMPORAL_CLI_VERSION,
} from './temporal-program.ts';

/** A download that crawls and then a cold build on a slow machine, with room. */
const WAIT_FOR_ANOTHER_MS = 30 * 60_000;

/**
 * Path of a `temporal` program that runs: the named one, else the one on PATH, the cached one, the official download,
 * or a build from source. Throws ENGINE_UNAVAILABLE with all that was tried.
 */
export async function obtainTemporal(
  config: Config,
  onProgress: OnProgress = () => undefined,
  env: NodeJS.ProcessEnv = process.env,
): Promise<string> {
  if (config.temporalCliPath) return named(config.temporalCliPath);
  const cached = cachedTemporal(config);
  const tried = ['TEMPORAL_CLI_PATH: not set'];
  const attempt: Attempt = async (what, fn) => {
    try {
      return await fn();
    } catch (error) {
      tried.push(`${what}: ${oneLine(error)}`);
      return undefined;
    }
  };
  const found =
    (await attempt('temporal on PATH', () => onPath(env.PATH))) ??
    (await attempt('the cache', () => fromCache(cached))) ??
    (await attempt('the cache', () => makeOnce(config, cached, attempt, onProgress, env)));
  if (found) return found;
  throw new Fault('ENGINE_UNAVAILABLE', nothingWorked(tried));
}

/** Where the program is kept once it was downloaded or built. */
export function cachedTemporal(config: Config): string {
  return join(config.cache, `temporal-${TEMPORAL_CLI_VERSION}-${process.platform}-${process.arch}`);
}

type Attempt = (
  what: string,
  fn: () => Promise<string | undefined> | string | undefined,
) => Promise<string | undefined>;

/** A program that was named on purpose is used or refused, never passed over. */
async function named(program: string): Promise<string> {
  try {
    await checkTemporal(program);
    return program;
  } catch (error) {
    throw new Fault(
      'ENGINE_UNAVAILABLE',
      `TEMPORAL_CLI_PATH cannot be used: ${oneLine(error)}. Name the temporal program of the Temporal CLI, or unset it.`,
      { cause: error },
    );
  }
}

async function onPath(path: string | undefined): Promise<string> {
  const program = findOnPath('temporal', path);
  if (!program) throw new Error('not found');
  await checkRecentTemporal(program);
  return program;
}

/** Trusted without a check, which would cost each start 0.1 s: what is here was checked before it was given this name. */
function fromCache(cached: string): string {
  if (!isExecutable(cached)) throw new Error(`there is no ${cached} yet`);
  return cached;
}

/** Of several starters one works and the others wait for what it makes. */
function makeOnce(config: Config, cached: string, attempt: Attempt, onProgress: OnProgress, env: NodeJS.ProcessEnv) {
  const report = progressOf('waiting', onProgress);
  const onWaiting = (ms: number) =>
    report(`waiting for another Holdpoint process that is getting Temporal, ${Math.round(ms / 1000)} s`);
  const download = (folder: string) => downloadTemporal(config.temporalDownloadUrl, folder, onProgress);
  const build = (folder: string) => buildTemporal(folder, onProgress, env);
  return withHomeLock(
    cached,
    async () => {
      if (isExecutable(cached)) return cached;
      return (
        (await attempt('the official download', () => makeIntoCache(cached, download))) ??
        (await attempt('a build from source', () => makeIntoCache(cached, build)))
      );
    },
    { waitMs: WAIT_FOR_ANOTHER_MS, onWaiting },
  );
}

function nothingWorked(tried: string[]): string {
  return [
    'There is no Temporal server to run plans on, and no temporal program to start one with. Tried:',
    ...tried.map((line) => `  - ${line}`),
    'Any one of these helps:',
    '  - install the Temporal CLI, so that temporal is on PATH (https://docs.temporal.io/cli)',
    '  - set TEMPORAL_CLI_PATH to a temporal program',
    '  - set TEMPORAL_ADDRESS to a running Temporal cluster',
    `  - install Go ${goVersionNeeded()} or later, so that Temporal can be built (https://go.dev/dl)`,
  ].join('\n');
}
