import type { Command } from 'commander';
import type { Cli } from '../cli.ts';
import { examples, PLAN } from '../help.ts';
import { sendCommand } from '../send-command.ts';

export function addPause(program: Command, cli: Cli): void {
  const command = program
    .command('pause')
    .summary('start nothing new in a plan; what runs ends first')
    .description('Start nothing new in a plan; what runs ends first.')
    .argument(...PLAN)
    .option('--strict', 'refuse rather than wait while a task runs')
    .option('--json', 'print the outcome as JSON')
    .action((plan: string, { strict, ...options }: { strict?: true; json?: true }) =>
      sendCommand(cli, { name: 'pause', plan, request: strict && { strict }, done: 'paused' }, options),
    );
  examples(command, ['pause 3f2b9c', 'pause 3f2b9c --strict']);
}
