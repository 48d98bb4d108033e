import type { Command } from 'commander';
import { FAULTS } from '../../faults.ts';
import type { JsonObject } from '../../plan/json.ts';
import { collectInput } from '../arguments.ts';
import { type Cli, printJson } from '../cli.ts';
import { examples } from '../help.ts';
import { PlanFileFault, readPlanArgument } from '../plan-argument.ts';
import { dryRunLines } from '../render/dry-run.ts';
import { count, oneLine } from '../render/text.ts';

interface Options {
  input?: JsonObject;
  json?: true;
}

export function addValidate(program: Command, cli: Cli): void {
  const command = program
    .command('validate')
    .summary('check a plan file, and tell what it would do')
    .description(
      'Check a plan file with the inputs it would be run with, and tell what it would do; nothing is started.',
    )
    .argument('<file>', 'the plan file, YAML or JSON; - is standard input')
    .option('--input <name=value>', 'a value for an input of the plan; may be repeated', collectInput)
    .option('--json', 'print the result, or all problems, as JSON')
    .action((file: string, options: Options) => validate(cli, file, options));
  examples(command, ['validate plan.yaml', 'validate plan.yaml --input version=1.2 --json']);
}

async function validate(cli: Cli, file: string, { input = {}, json }: Options): Promise<void> {
  try {
    const plan = await readPlanArgument(cli, file, input);
    const { dryRun } = await import('../../service/dry-run.ts');
    const told = dryRun(plan);
    if (json) return printJson(cli, told);
    cli.out.line(`${file} is a valid plan: ${oneLine(told.name)}, ${count(told.tasks.length, 'task')}`);
    for (const line of dryRunLines(told, cli.out.colours)) cli.out.line(line);
  } catch (thrown) {
    if (!json || !(thrown instanceof PlanFileFault)) throw thrown;
    printJson(cli, { valid: false, errors: thrown.errors });
    cli.exitCode = FAULTS[thrown.code].exit;
  }
}
