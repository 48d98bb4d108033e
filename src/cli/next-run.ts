import type { RunMode } from '../plan/reuse.ts';
import { type Cli, printJson } from './cli.ts';
import type { Engine } from './with-engine.ts';

const SAID: Record<RunMode, string> = {
  resume: 'its next run has begun; finished work is kept',
  retry: 'its next run has begun, from nothing',
};

/** Starts a plan's next run and says so. */
export async function nextRun(
  cli: Cli,
  engine: Engine,
  planId: string,
  mode: RunMode,
  { json }: { json?: true },
): Promise<void> {
  const started = await engine.service.nextRun(engine.caller, planId, { mode });
  if (json) return printJson(cli, { plan_id: planId, command: mode, result: 'started', mode: started.mode });
  cli.out.line(`plan ${planId}: ${SAID[mode]}`);
  cli.err.line(`watch it: ${cli.self} watch ${planId}`);
}
