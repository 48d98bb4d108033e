import { Argument, type Command, Option } from 'commander';
import type { Cli } from '../cli.ts';
import { expectedNext } from '../completion/complete.ts';
import { CANDIDATES, FILES, SCRIPTS, SHELLS, type Shell } from '../completion/scripts.ts';
import { examples } from '../help.ts';

export function addCompletion(program: Command, cli: Cli): void {
  const command = program
    .command('completion')
    .summary('print a script that lets a shell complete commands')
    .description('Print a script by which a shell completes commands, options, files, and the ids of plans.')
    .addArgument(new Argument('<shell>', 'the shell').choices(SHELLS))
    // What the scripts ask with: after the shell come the words so far, the last of them being typed.
    .addOption(new Option('--words').hideHelp())
    .allowExcessArguments()
    .action(async (shell: Shell, { words }: { words?: true }) => {
      const [, ...given] = command.args;
      if (!words) return cli.out.line(SCRIPTS[shell]);
      for (const line of await candidates(program, cli, shell, given)) cli.out.line(line);
    });
  examples(command, [
    'completion bash >> ~/.bashrc',
    'completion zsh > "${fpath[1]}/_holdpoint"',
    'completion fish > ~/.config/fish/completions/holdpoint.fish',
  ]);
}

async function candidates(program: Command, cli: Cli, shell: Shell, words: string[]): Promise<string[]> {
  const { expected, current } = expectedNext(program, words);
  if ('words' in expected) return told(expected.words);
  const { valuesOf } = await import('../completion/values.ts');
  return told(await valuesOf(cli, expected.value, expected.before));

  function told(all: { value: string; about?: string }[]): string[] {
    return all
      .filter(({ value }) => value === FILES || value.startsWith(current))
      .map((one) => (one.value === FILES ? FILES : CANDIDATES[shell](one)));
  }
}
