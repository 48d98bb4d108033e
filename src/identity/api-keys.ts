import { timingSafeEqual } from 'node:crypto';
import { readFileSync, statSync } from 'node:fs';
import type { Logger } from 'pino';
import { Fault } from '../faults.ts';
import type { Caller } from '../service/caller.ts';
import { type ApiKey, parseApiKeys, sha256 } from './api-key-file.ts';

export interface ApiKeys {
  /** The entry that a key belongs to, also when it has expired. */
  find(key: string): ApiKey | undefined;
  /** Whether it was taken out of the file, or has expired: who still sends it is not guessing. */
  knew(key: string): boolean;
  onChange(changed: () => void): void;
  stop(): void;
}

/** How often the file is looked at. Polling works for mounts, links and files that are replaced as a whole, alike. */
const LOOK_MS = 500;

/** The keys in a file, read again when it changes; a broken edit is told and leaves the last good ones. Throws CONFIG_INVALID. */
export function watchApiKeys(path: string, logger: Logger): ApiKeys {
  let [read, looked] = [stampOf(path), stampOf(path)];
  let keys = readApiKeys(path);
  warnOfReaders(path, logger);
  const taken = new Map<string, ApiKey>();
  const listeners: (() => void)[] = [];
  const look = () => {
    const stamp = stampOf(path);
    const isStill = stamp === looked;
    looked = stamp;
    // While it is being written, what is there is half of it.
    if (!isStill || stamp === read) return;
    read = stamp;
    try {
      const before = keys;
      keys = readApiKeys(path);
      for (const key of before) taken.set(key.hash.toString('hex'), key);
      logger.info({ path, keys: keys.length }, 'API keys read again');
      warnOfReaders(path, logger);
      for (const changed of listeners) changed();
    } catch (error) {
      logger.error({ path, problem: (error as Error).message }, 'the API keys read before still hold');
    }
  };
  const looking = setInterval(look, LOOK_MS).unref();
  return {
    find: (key) => findKey(keys, key),
    knew: (key) => findKey([...keys, ...taken.values()], key) !== undefined,
    onChange: (changed) => void listeners.push(changed),
    stop: () => clearInterval(looking),
  };
}

function stampOf(path: string): string | undefined {
  const found = statSync(path, { bigint: true, throwIfNoEntry: false });
  return found && [found.dev, found.ino, found.size, found.mtimeNs, found.ctimeNs].join(' ');
}

export function readApiKeys(path: string): ApiKey[] {
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (error) {
    throw new Fault('CONFIG_INVALID', `HOLDPOINT_API_KEYS: ${(error as Error).message}`, { cause: error });
  }
  return parseApiKeys(text, path);
}

/** Every entry is compared, each in constant time: how long it takes tells nothing about any key. */
export function findKey(keys: readonly ApiKey[], given: string): ApiKey | undefined {
  const hash = sha256(given);
  let found: ApiKey | undefined;
  for (const key of keys) if (timingSafeEqual(key.hash, hash)) found = key;
  return found;
}

/** Who calls with the key; throws UNAUTHENTICATED when it has expired. */
export function callerOfKey({ id, name, org_id, permissions, expires_at }: ApiKey): Omit<Caller, 'trigger'> {
  if (expires_at !== undefined && expires_at <= Date.now())
    throw new Fault('UNAUTHENTICATED', `the API key "${id}" has expired`);
  return { principal: { id, name, org_id }, permissions, ...(expires_at !== undefined && { expires_at }) };
}

function warnOfReaders(path: string, logger: Logger): void {
  if ((statSync(path, { throwIfNoEntry: false })?.mode ?? 0) & 0o004)
    logger.warn({ path }, `every user of this machine can read the API keys; do: chmod 600 ${path}`);
}
