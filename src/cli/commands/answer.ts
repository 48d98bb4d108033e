import type { Command } from 'commander';
import { parseAnswer } from '../arguments.ts';
import type { Cli } from '../cli.ts';
import { examples, PLAN } from '../help.ts';
import { sendCommand } from '../send-command.ts';

export function addAnswer(program: Command, cli: Cli): void {
  const command = program
    .command('answer')
    .summary('answer an open question of a plan')
    .description('Answer an open question of a plan.')
    .argument(...PLAN)
    .argument('<question>', 'the question, or its task')
    .argument('<answer...>', 'the option chosen, or NAME=VALUE for each field of a form')
    .option('--comment <text>', 'kept with the answer')
    .option('--json', 'print the outcome, with the record of the answer, as JSON')
    .action(
      (plan: string, question: string, words: string[], { comment, ...options }: { comment?: string; json?: true }) => {
        const request = { question, ...parseAnswer(words), comment };
        return sendCommand(
          cli,
          { name: 'answer', plan, request, done: `${question} answered with ${words.join(' ')}` },
          options,
        );
      },
    );
  examples(command, ['answer 3f2b9c ship_it.1 ship', 'answer 3f2b9c details version=1.2 channel=beta']);
}
