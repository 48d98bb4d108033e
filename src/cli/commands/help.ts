import type { Command } from 'commander';
import { Fault } from '../../faults.ts';
import { commandNamed } from '../command-named.ts';
import { examples } from '../help.ts';

export function addHelp(program: Command): void {
  const command = program
    .command('help')
    .summary('show the help of a command')
    .description('Show the help of a command, or of the program.')
    .argument('[command...]', 'the command, such as run or server status')
    .action(async (words: string[]) => (await findCommand(program, words)).outputHelp());
  examples(command, ['help run', 'help server status']);
}

async function findCommand(program: Command, words: string[]): Promise<Command> {
  let command = program;
  for (const word of words) {
    const found = commandNamed(command, word);
    if (!found) throw new Fault('USAGE', `there is no command "${word}"${await didYouMean(word, command)}`);
    command = found;
  }
  return command;
}

async function didYouMean(word: string, { commands }: Command): Promise<string> {
  const { nearestNames } = await import('../../service/plan-file/nearest.ts');
  const meant = nearestNames()(
    word,
    commands.flatMap((one) => [one.name(), ...one.aliases()]),
  );
  return meant === undefined ? '' : `; did you mean ${meant}?`;
}
