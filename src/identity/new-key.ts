import { randomBytes } from 'node:crypto';
import { type ApiKeyEntry, parseApiKeys, sha256 } from './api-key-file.ts';

/** A key nobody can guess, and the entry by which the engine knows it. Throws CONFIG_INVALID when the entry would not be taken. */
export function newKey(who: Omit<ApiKeyEntry, 'key' | 'key_sha256'>): { key: string; entry: ApiKeyEntry } {
  const key = `hp_${randomBytes(32).toString('base64url')}`;
  const entry = { key_sha256: sha256(key).toString('hex'), ...who };
  parseApiKeys(JSON.stringify([entry]), 'the new entry');
  return { key, entry };
}
