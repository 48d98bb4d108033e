import type { Command } from 'commander';
import { type Cli, printJson } from '../cli.ts';
import { examples } from '../help.ts';

export function addSchema(program: Command, cli: Cli): void {
  const command = program
    .command('schema')
    .summary('print the JSON Schema of plan files, for editors')
    .description(
      'Print the JSON Schema of plan files. An editor that knows it completes words, shows what they mean and marks ' +
        'mistakes: begin a plan file with "# yaml-language-server: $schema=PATH".',
    )
    .action(async () => {
      const { planFileJsonSchema } = await import('../../service/plan-file/json-schema.ts');
      printJson(cli, planFileJsonSchema());
    });
  examples(command, ['schema > plan.schema.json']);
}
