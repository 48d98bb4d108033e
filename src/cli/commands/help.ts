import type { Command } from 'commander';
import { Fault } from '../../faults.ts';
import { nearestNames } from '../../service/plan-file/nearest.ts';
import { examples } from '../help.ts';

export function addHelp(program: Command): void {
  const command = program
    .command('help')
    .summary('show the help of a command')
    .description('Show the help of a command, or of the program.')
    .argument('[command...]', 'the command, such as run or server status')
    .action((words: string[]) => findCommand(program, words).outputHelp());
  examples(command, ['help run', 'help server status']);
}

function findCommand(program: Command, words: string[]): Command {
  return words.reduce((command, word) => {
    const found = command.commands.find((one) => one.name() === word);
    if (found) return found;
    const names = command.commands.map((one) => one.name());
    const meant = nearestNames()(word, names);
    throw new Fault('USAGE', `there is no command "${word}"${meant ? `; did you mean ${meant}?` : ''}`);
  }, program);
}
