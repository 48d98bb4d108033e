import { type Command, Option } from 'commander';
import type { Cli } from '../cli.ts';
import { examples } from '../help.ts';

export function addUp(program: Command, cli: Cli): void {
  const command = program
    .command('up')
    .summary('run the engine in the foreground')
    .description('Run the engine in the foreground: worker, API and embedded Temporal server, until Ctrl+C.')
    // How the engine starts when a command needs one and finds none.
    .addOption(new Option('--detached').hideHelp())
    .action(async ({ detached }: { detached?: true }) => {
      cli.exitCode = await cli.engine.run(detached ? 'detached' : 'foreground');
    });
  examples(command, ['up']);
}
