import type { Command } from 'commander';

/** The command of this name, or with it for another one. */
export const commandNamed = ({ commands }: Command, word: string): Command | undefined =>
  commands.find((one) => one.name() === word || one.aliases().includes(word));
