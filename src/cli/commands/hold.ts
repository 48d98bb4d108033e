import type { Command } from 'commander';
import type { Cli } from '../cli.ts';
import { examples, PLAN } from '../help.ts';
import { sendCommand } from '../send-command.ts';

export function addHold(program: Command, cli: Cli): void {
  const command = program
    .command('hold')
    .summary('keep a task from starting')
    .description('Set a hold point: the task does not start until it is released.')
    .argument(...PLAN)
    .argument('<task>', 'the task, which must not have begun')
    .option('--comment <text>', 'shown to whoever asks what the plan waits for')
    .option('--json', 'print the outcome as JSON')
    .action((plan: string, task: string, { comment, ...options }: { comment?: string; json?: true }) =>
      sendCommand(cli, { name: 'hold', plan, request: { task, comment }, done: `${task} is held` }, options),
    );
  examples(command, ['hold 3f2b9c deploy --comment "not before Monday"']);
}
