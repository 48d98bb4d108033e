import { once } from 'node:events';
import type { Command } from 'commander';
import type { JsonObject } from '../../plan/json.ts';
import { recordPlace } from '../../service/place.ts';
import { collectInput } from '../arguments.ts';
import { type Cli, INTERRUPTED, printJson } from '../cli.ts';
import { examples } from '../help.ts';
import { type PlanArgument, readPlanArgument } from '../plan-argument.ts';
import { watchPlan } from '../watch-plan.ts';
import { withEngine } from '../with-engine.ts';

interface Options {
  input?: JsonObject;
  startAt?: string;
  review?: true;
  detach?: true;
  json?: true;
}

export function addRun(program: Command, cli: Cli): void {
  const command = program
    .command('run')
    .summary('run a plan and watch it')
    .description('Run a plan in this directory and watch it. It runs in the engine, so that it survives this command.')
    .argument('<file>', 'the plan file, YAML or JSON; - is standard input')
    .option('--input <name=value>', 'a value for an input of the plan; may be repeated', collectInput)
    .option('--start-at <time>', 'start nothing before this time, such as 2026-01-31T09:00:00Z')
    .option('--review', 'start nothing before somebody approves the plan')
    .option('--detach', 'print the id of the plan and leave')
    .option('--json', 'print its events, and at last its result, as one JSON object per line')
    .action((file: string, options: Options) => run(cli, file, options));
  examples(command, ['run plan.yaml', 'run plan.yaml --input version=1.2', 'run - --detach < plan.yaml']);
}

async function run(cli: Cli, file: string, options: Options): Promise<void> {
  const signal = cli.interrupt();
  const started: Started = {};
  const interrupted = once(signal, 'abort').then(() => leave(cli, started));
  cli.exitCode = await Promise.race([interrupted, start(cli, file, options, started, signal)]);
}

/** Set once there is a plan. */
interface Started {
  id?: string;
}

function leave(cli: Cli, { id }: Started): number {
  cli.err.line(id === undefined ? 'interrupted; no plan was started' : `\nplan ${id} goes on in the engine`);
  if (id !== undefined) cli.err.line(`watch it: ${cli.self} show ${id}\nstop it:  ${cli.self} stop ${id}`);
  return INTERRUPTED;
}

async function start(cli: Cli, file: string, options: Options, started: Started, signal: AbortSignal): Promise<number> {
  const { input = {}, detach, json } = options;
  const plan = await readPlanArgument(cli, file, input);
  return await withEngine(cli, 'run', async (engine) => {
    const { plan_id } = await engine.service.create(engine.caller, requestOf(cli, plan, options));
    started.id = plan_id;
    if (!detach) return await watchPlan(cli, engine, { plan_id, definition: plan.definition }, { json, signal });
    if (json) printJson(cli, { plan_id, name: plan.definition.name });
    else cli.out.line(plan_id);
    return 0;
  });
}

const requestOf = ({ env, directory }: Cli, { text }: PlanArgument, { input, startAt, review }: Options) => ({
  plan: text,
  inputs: input,
  start_at: startAt,
  review: review && ('required' as const),
  place: recordPlace(env, directory),
});
