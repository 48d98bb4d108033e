import { type Caller, localCaller } from '../service/caller.ts';
import type { Cli } from './cli.ts';

/** As whom this command calls the service: whom `HOLDPOINT_API_KEY` belongs to, or else the user of this machine. */
export async function callerFor({ env }: Cli, command: string): Promise<Caller> {
  const trigger = `cli ${command}`;
  if (!env.HOLDPOINT_API_KEY) return localCaller(trigger);
  const { callerInEnvironment } = await import('../identity/key-caller.ts');
  return { ...callerInEnvironment(env.HOLDPOINT_API_KEY, env.HOLDPOINT_API_KEYS), trigger };
}
