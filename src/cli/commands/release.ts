import type { Command } from 'commander';
import type { Cli } from '../cli.ts';
import { examples, PLAN } from '../help.ts';
import { sendCommand } from '../send-command.ts';

export function addRelease(program: Command, cli: Cli): void {
  const command = program
    .command('release')
    .summary('let a held task start')
    .description('Take a hold point away: the task starts when it is its turn.')
    .argument(...PLAN)
    .argument('<task>', 'the task that is held')
    .option('--json', 'print the outcome as JSON')
    .action((plan: string, task: string, options: { json?: true }) =>
      sendCommand(cli, { name: 'release', plan, request: { task }, done: `${task} is released` }, options),
    );
  examples(command, ['release 3f2b9c deploy']);
}
