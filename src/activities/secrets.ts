import type { Json } from '../plan/json.ts';
import { TaskFailure } from './kind.ts';
import { type Mask, maskOf } from './masking.ts';

/** The secrets of one attempt. Values live here and in what is sent or started with them; nowhere else. */
export interface Secrets {
  values: Record<string, string>;
  mask: Mask;
}

export const NO_SECRETS: Secrets = { values: {}, mask: maskOf([]) };

/** Reads a secret by the name that plans know it by; undefined when the engine has none. */
export type SecretSource = (name: string) => string | undefined;

/** Looks up what a task's words name as `secrets`; what is missing fails the task for good, before anything is done. */
export function secretsOf(words: Json, source: SecretSource): Secrets {
  const names = namedIn(words);
  if (names.length === 0) return NO_SECRETS;
  const found = names.map((name) => [name, source(name)] as const);
  const missing = found.filter(([, value]) => !value).map(([name]) => name);
  if (missing.length > 0)
    throw new TaskFailure(
      `the engine has no secret ${missing.join(', ')}: start it with ${missing.map((name) => `HOLDPOINT_SECRET_${name}`).join(', ')} in its environment`,
      { final: 'invalid' },
    );
  const values = Object.fromEntries(found as [string, string][]);
  return { values, mask: maskOf(Object.values(values)) };
}

function namedIn(words: Json): string[] {
  const named = typeof words === 'object' && words !== null && !Array.isArray(words) ? words.secrets : undefined;
  return Array.isArray(named) ? named.filter((name) => typeof name === 'string') : [];
}
