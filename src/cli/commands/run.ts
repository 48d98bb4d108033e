import type { Command } from 'commander';
import { Fault } from '../../faults.ts';
import type { JsonObject } from '../../plan/json.ts';
import { recordPlace } from '../../service/place.ts';
import { collectInput, collectText, collectVariable } from '../arguments.ts';
import type { Cli } from '../cli.ts';
import { examples } from '../help.ts';
import { readPlanArgument } from '../plan-argument.ts';

interface Options {
  input?: JsonObject;
  env?: Record<string, string>;
  args?: string[];
  map?: string[];
  worktree?: true;
  startAt?: string;
  review?: true;
  resume?: string;
  resumeLast?: true;
  yes?: true;
  leaveRunning?: true;
  detach?: true;
  plain?: true;
  json?: true;
}

export function addRun(program: Command, cli: Cli): void {
  const command = program
    .command('run')
    .alias('cook')
    .summary('run a plan file as a session, or go on with one')
    .description(
      'Run a plan file in this directory as a session. Ctrl+C interrupts it, and so does whatever ends this command or the machine; it says how to go on from exactly there.',
    )
    .argument('[file]', 'the plan file, YAML or JSON; - is standard input')
    .option('--input <name=value>', 'a value for an input of the plan; may be repeated', collectInput)
    .option(
      '--env <name=value>',
      'a variable for its commands; wins over those of the file; may be repeated',
      collectVariable,
    )
    .option('--args <value>', 'of a workflow file: an input, for which its steps run; may be repeated', collectText)
    .option(
      '--map <pattern>',
      'of a workflow file: files, for each of which its steps run; may be repeated',
      collectText,
    )
    .option('--worktree', 'work in a Git worktree and branch of its own, as `worktree: true` in the file')
    .option('--resume <session>', 'go on with this session; see `sessions ls`')
    .option('--resume-last', 'go on with the session of this directory, and of the file, that was interrupted last')
    .option('-y, --yes', 'go on by a file that was edited since, without asking')
    .option('--start-at <time>', 'start nothing before this time, such as 2026-01-31T09:00:00Z')
    .option('--review', 'start nothing before somebody approves the plan')
    .option('--leave-running', 'on Ctrl+C, leave the session running in the engine')
    .option('--detach', 'print the id of the plan and leave; the engine goes on with it')
    .option('--plain', 'print lines, also on a terminal')
    .option('--json', 'print its events, and at last its result, as one JSON object per line')
    .action((file: string | undefined, options: Options) => run(cli, file, options));
  examples(command, [
    'run plan.yaml',
    'run plan.yaml --input version=1.2',
    'run plan.yaml --resume-last',
    'run plan.yaml --resume 2026-01-31-0900-release-k3f9x',
    'run - --detach < plan.yaml',
  ]);
}

async function run(cli: Cli, file: string | undefined, options: Options): Promise<void> {
  const { resume, resumeLast } = options;
  const isNew = resume === undefined && !resumeLast;
  cli.exitCode = isNew ? await start(cli, file, options) : await goOn(cli, file, options);
}

async function start(cli: Cli, file: string | undefined, options: Options): Promise<number> {
  if (file === undefined) throw new Fault('USAGE', `name the plan file to run; see ${cli.self} run --help`);
  const { input, args, map, worktree, env, startAt, review, detach, json } = options;
  const inputs = { ...input, ...(args && { args }), ...(map && { map }) };
  const plan = await readPlanArgument(cli, file, inputs);
  const request = {
    inputs,
    start_at: startAt,
    review: review && ('required' as const),
    ...(worktree && { worktree }),
    place: { ...recordPlace(cli.env, cli.directory), ...(env && { set: env }) },
  };
  const [{ runSession }, { startSession }] = await Promise.all([
    import('../session/run-session.ts'),
    import('../session/start-session.ts'),
  ]);
  return await runSession(cli, options, startSession(cli, { file, plan, request, detach, json }));
}

/** Recorded when it was started, and the same for as long as it goes on. */
const RECORDED = ['input', 'env', 'args', 'map', 'worktree', 'startAt', 'review', 'detach'] as const;

async function goOn(cli: Cli, file: string | undefined, options: Options): Promise<number> {
  const { resume, resumeLast, yes, json } = options;
  if (resume !== undefined && resumeLast) throw new Fault('USAGE', 'give --resume or --resume-last, not both');
  const given = RECORDED.find((name) => options[name] !== undefined);
  if (given)
    throw new Fault(
      'USAGE',
      `--${given === 'startAt' ? 'start-at' : given}: a session that is resumed goes on with what it was started with; leave it out`,
    );
  const [{ runSession }, { resumeSession }] = await Promise.all([
    import('../session/run-session.ts'),
    import('../session/resume-session.ts'),
  ]);
  return await runSession(cli, options, resumeSession(cli, { resume, resumeLast, file, yes, json }));
}
