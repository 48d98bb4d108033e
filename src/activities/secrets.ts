import type { Json } from '../plan/json.ts';
import { TaskFailure } from './kind.ts';
import { type Mask, maskOf } from './masking.ts';

/** The secrets of one attempt. Values live here and in what is sent or started with them; nowhere else. */
export interface Secrets {
  /** What its task names. */
  values: Record<string, string>;
  mask: Mask;
}

export const NO_SECRETS: Secrets = { values: {}, mask: maskOf([]) };

/** The secrets that the engine has. */
export interface SecretSource {
  /** By the name that plans know it by; undefined when the engine has none. */
  value(name: string): string | undefined;
  /** Of all of them: a script can find ways to those that it does not name. */
  readonly mask: Mask;
}

/** `keys`: what plans cannot name, and is masked all the same. */
export function secretSource(
  names: readonly string[],
  value: (name: string) => string | undefined,
  keys: readonly string[] = [],
): SecretSource {
  return { value, mask: maskOf([...names.map(value).filter((found) => found !== undefined), ...keys]) };
}

/** Looks up what a task's words name as `secrets`; what is missing fails the task for good, before anything is done. */
export function secretsOf(words: Json, { value, mask }: SecretSource): Secrets {
  const found = namedIn(words).map((name) => [name, value(name)] as const);
  const missing = found.filter(([, value]) => !value).map(([name]) => name);
  if (missing.length > 0)
    throw new TaskFailure(
      `the engine has no secret ${missing.join(', ')}: start it with ${missing.map((name) => `HOLDPOINT_SECRET_${name}`).join(', ')} in its environment`,
      { final: 'invalid' },
    );
  return { values: Object.fromEntries(found as [string, string][]), mask };
}

function namedIn(words: Json): string[] {
  const named = typeof words === 'object' && words !== null && !Array.isArray(words) ? words.secrets : undefined;
  return Array.isArray(named) ? named.filter((name) => typeof name === 'string') : [];
}
