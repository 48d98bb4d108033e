import type { Command } from 'commander';

/** The argument by which every command takes a plan. */
export const PLAN = ['<id>', 'the plan: its id, or the first 6 or more characters of it'] as const;

/** Puts examples at the head of a command's help: they are what people look for first. */
export function examples(command: Command, lines: string[]): void {
  command.addHelpText('before', `Examples:\n${lines.map((line) => `  $ holdpoint ${line}`).join('\n')}\n`);
}
