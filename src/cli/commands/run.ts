import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import type { Command } from 'commander';
import type { JsonObject } from '../../plan/json.ts';
import { recordPlace } from '../../service/place.ts';
import { collectInput } from '../arguments.ts';
import { type Cli, INTERRUPTED } from '../cli.ts';
import { examples } from '../help.ts';
import { type PlanArgument, readPlanArgument } from '../plan-argument.ts';
import { stayConnected } from '../stay-connected.ts';
import { type WatchOptions, watchPlan } from '../watch-plan.ts';

interface Options {
  input?: JsonObject;
  startAt?: string;
  review?: true;
  detach?: true;
  plain?: true;
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
    .option('--plain', 'print lines, also on a terminal')
    .option('--json', 'print its events, and at last its result, as one JSON object per line')
    .action((file: string, options: Options) => run(cli, file, options));
  examples(command, ['run plan.yaml', 'run plan.yaml --input version=1.2', 'run - --detach < plan.yaml']);
}

async function run(cli: Cli, file: string, options: Options): Promise<void> {
  const left = new AbortController();
  const signal = AbortSignal.any([cli.interrupt(), left.signal]);
  const plan: Started = { id: randomUUID(), is: 'not started' };
  const interrupted = once(signal, 'abort').then(() => leave(cli, plan));
  cli.exitCode = await Promise.race([
    interrupted,
    start(cli, file, options, plan, { signal, leave: () => left.abort() }),
  ]);
}

/** The id is chosen here, so that asking again after a lost answer starts no second plan. */
interface Started {
  id: string;
  is: 'not started' | 'asked for' | 'started';
}

function leave({ err, self }: Cli, { id, is }: Started): number {
  err.line('');
  if (is === 'not started') err.line('interrupted; no plan was started');
  else {
    err.line(is === 'started' ? `plan ${id} goes on in the engine` : `interrupted; plan ${id} may have been started`);
    err.line(`watch it: ${self} watch ${id}`);
    err.line(`stop it:  ${self} stop ${id}`);
  }
  return INTERRUPTED;
}

async function start(
  cli: Cli,
  file: string,
  options: Options,
  started: Started,
  leaving: Pick<WatchOptions, 'signal' | 'leave'>,
): Promise<number> {
  const { input = {}, detach, json, plain } = options;
  const plan = await readPlanArgument(cli, file, input);
  const plan_id = started.id;
  return await stayConnected(cli, 'run', async (link) => {
    await link.ask(({ service, caller }) => {
      started.is = 'asked for';
      return service.create(caller, { plan_id, ...requestOf(cli, plan, options) });
    });
    started.is = 'started';
    const { definition } = plan;
    const watched = { plan_id, name: definition.name, definition };
    if (!detach) return await watchPlan(cli, link, watched, { json, plain, ...leaving });
    cli.out.line(json ? JSON.stringify({ plan_id, name: definition.name }) : plan_id);
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
