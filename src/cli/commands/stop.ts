import type { Command } from 'commander';
import type { Cli } from '../cli.ts';
import { examples, PLAN } from '../help.ts';
import { sendCommand } from '../send-command.ts';

export function addStop(program: Command, cli: Cli): void {
  const command = program
    .command('stop')
    .summary('end a plan now')
    .description('End a plan now; what runs is ended too. Finished work is kept for a resume.')
    .argument(...PLAN)
    .option('--json', 'print the outcome as JSON')
    .action((plan: string, options: { json?: true }) =>
      sendCommand(cli, { name: 'stop', plan, done: 'stopped' }, options),
    );
  examples(command, ['stop 3f2b9c']);
}
