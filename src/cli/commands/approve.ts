import type { Command } from 'commander';
import type { Cli } from '../cli.ts';
import { examples, PLAN } from '../help.ts';
import { sendCommand } from '../send-command.ts';

export function addApprove(program: Command, cli: Cli): void {
  const command = program
    .command('approve')
    .summary('let a plan out of review, or approve a task')
    .description('Let a plan out of review, or approve what one of its tasks asks.')
    .argument(...PLAN)
    .argument('[question]', 'the question, or its task; needed when several approvals are open')
    .option('--comment <text>', 'kept with the answer')
    .option('--json', 'print the outcome as JSON')
    .action((plan: string, question: string | undefined, { comment, ...options }: { comment?: string; json?: true }) =>
      sendCommand(cli, { name: 'approve', plan, request: { question, comment }, done: 'approved' }, options),
    );
  examples(command, ['approve 3f2b9c', 'approve 3f2b9c ship_it --comment "looks good"']);
}
