import type { Command } from 'commander';
import { collectInput } from '../arguments.ts';
import type { Cli } from '../cli.ts';
import { findPlan } from '../find-plan.ts';
import { examples, PLAN } from '../help.ts';
import { type NextRunOptions, nextRun } from '../next-run.ts';
import { withEngine } from '../with-engine.ts';

export function addRetry(program: Command, cli: Cli): void {
  const command = program
    .command('retry')
    .summary('run a failed or stopped plan again from nothing')
    .description('Run a failed or stopped plan again from nothing; `resume` keeps finished work.')
    .argument(...PLAN)
    .option('--plan <file>', 'run this edited plan file; - is standard input')
    .option('--input <name=value>', 'another value for an input of the plan; may be repeated', collectInput)
    .option('--model-profile <name>', 'by which models its tasks work')
    .option('--json', 'print the outcome as JSON')
    .action((plan: string, options: NextRunOptions) =>
      withEngine(cli, 'retry', async (engine) => nextRun(cli, engine, await findPlan(engine, plan), 'retry', options)),
    );
  examples(command, ['retry 3f2b9c']);
}
