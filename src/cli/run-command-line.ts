import type { Cli } from './cli.ts';
import { createProgram } from './program.ts';
import { reportError } from './report-error.ts';

/** Runs one command; whatever is thrown becomes a line on stderr. Gives the exit code. */
export async function runCommandLine(args: string[], cli: Cli): Promise<number> {
  try {
    await createProgram(cli).parseAsync(args.length === 0 ? ['--help'] : args, { from: 'user' });
    return cli.exitCode;
  } catch (thrown) {
    return reportError(thrown, cli);
  }
}
