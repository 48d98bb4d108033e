import type { Place } from '../contract/payloads.ts';

/** The environment variables that a plan's commands get from whoever started it; nothing else leaks in. */
export const RECORDED_VARIABLES = [
  'PATH',
  'HOME',
  'USER',
  'LOGNAME',
  'SHELL',
  'LANG',
  'LC_ALL',
  'LC_CTYPE',
  'TZ',
  'TMPDIR',
  'XDG_RUNTIME_DIR',
  'SSH_AUTH_SOCK',
] as const;

/** Where a plan's commands run and with what, recorded once at its creation. */
export function recordPlace(env: NodeJS.ProcessEnv, directory?: string): Place {
  const kept = RECORDED_VARIABLES.flatMap((name) => (env[name] === undefined ? [] : [[name, env[name]] as const]));
  return { env: Object.fromEntries(kept), ...(directory !== undefined && { directory }) };
}
