import type { JsonObject } from '../plan/json.ts';
import type { RunMode } from '../plan/reuse.ts';
import type { RunPreview } from '../service/next-run.ts';
import { type Cli, printJson } from './cli.ts';
import { inPlanFile, readText } from './plan-argument.ts';
import { runPreviewLines } from './render/run-preview.ts';
import type { Engine } from './with-engine.ts';

export interface NextRunOptions {
  from?: string;
  plan?: string;
  input?: JsonObject;
  dryRun?: true;
  modelProfile?: string;
  json?: true;
}

const SAID: Record<RunMode, string> = {
  resume: 'its next run has begun; finished work is kept',
  retry: 'its next run has begun, from nothing',
};

/** Starts a plan's next run and says so, or tells what it would do. */
export async function nextRun(
  cli: Cli,
  engine: Engine,
  planId: string,
  mode: RunMode,
  options: NextRunOptions,
): Promise<void> {
  const { json } = options;
  const answer = await ask(cli, engine, planId, mode, options);
  if ('dry_run' in answer) return tell(cli, answer, options);
  if (json) return printJson(cli, { plan_id: planId, command: mode, result: 'started', mode: answer.mode });
  cli.out.line(`plan ${planId}: ${SAID[mode]}`);
  cli.err.line(`watch it: ${cli.self} watch ${planId}`);
}

async function ask(
  cli: Cli,
  { service, caller }: Engine,
  planId: string,
  mode: RunMode,
  { from, plan: file, input: inputs, dryRun: dry_run, modelProfile: model_profile }: NextRunOptions,
) {
  const request = { mode, from, inputs, dry_run, model_profile };
  if (file === undefined) return await service.nextRun(caller, planId, request);
  const plan = await readText(cli, file);
  return await inPlanFile(file, () => service.nextRun(caller, planId, { ...request, plan }));
}

function tell(cli: Cli, preview: RunPreview, { json }: NextRunOptions): void {
  if (json) printJson(cli, preview);
  else for (const line of runPreviewLines(preview, cli.out.colours)) cli.out.line(line);
}
