import { Fault } from '../faults.ts';
import type { Caller } from '../service/caller.ts';
import { callerOfKey, findKey, readApiKeys } from './api-keys.ts';

/** Who the command line acts as with a key: its entry in the file of keys. Throws UNAUTHENTICATED or CONFIG_INVALID. */
export function callerInEnvironment(given: string, path: string | undefined): Omit<Caller, 'trigger'> {
  if (!path)
    throw new Fault(
      'CONFIG_INVALID',
      'HOLDPOINT_API_KEY is set, but not HOLDPOINT_API_KEYS, the file to look it up in',
    );
  const key = findKey(readApiKeys(path), given);
  if (!key) throw new Fault('UNAUTHENTICATED', `the key in HOLDPOINT_API_KEY is not in ${path}`);
  return callerOfKey(key);
}
