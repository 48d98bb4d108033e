import type { Command } from 'commander';
import { FAULTS } from '../../faults.ts';
import type { JsonObject } from '../../plan/json.ts';
import { collectInput } from '../arguments.ts';
import { type Cli, printJson } from '../cli.ts';
import { examples } from '../help.ts';
import { PlanFileFault, readPlanArgument } from '../plan-argument.ts';

interface Options {
  input?: JsonObject;
  json?: true;
}

export function addValidate(program: Command, cli: Cli): void {
  const command = program
    .command('validate')
    .summary('check a plan file; nothing is started')
    .description('Check a plan file, with the inputs it would be run with; nothing is started.')
    .argument('<file>', 'the plan file, YAML or JSON; - is standard input')
    .option('--input <name=value>', 'a value for an input of the plan; may be repeated', collectInput)
    .option('--json', 'print the result, or all problems, as JSON')
    .action((file: string, options: Options) => validate(cli, file, options));
  examples(command, ['validate plan.yaml', 'validate plan.yaml --input version=1.2 --json']);
}

async function validate(cli: Cli, file: string, { input = {}, json }: Options): Promise<void> {
  try {
    const { definition } = await readPlanArgument(cli, file, input);
    const { name, tasks } = definition;
    if (json) printJson(cli, { valid: true, name, tasks: tasks.map(({ id }) => id) });
    else cli.out.line(`${file} is a valid plan: ${name}, ${tasks.length === 1 ? '1 task' : `${tasks.length} tasks`}`);
  } catch (thrown) {
    if (!json || !(thrown instanceof PlanFileFault)) throw thrown;
    printJson(cli, { valid: false, errors: thrown.errors });
    cli.exitCode = FAULTS[thrown.code].exit;
  }
}
