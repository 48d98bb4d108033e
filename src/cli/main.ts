import { processCli } from './process-cli.ts';
import { reportError } from './report-error.ts';
import { runCommandLine } from './run-command-line.ts';

/** The entry that `bin/holdpoint.js` runs. */
const args = process.argv.slice(2);
/** An engine is not ended by its reader going away, and says all it can about its own crash. */
const isEngine = args[0] === 'up';
const cli = processCli();

process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  // The reader, such as `head`, has had enough. Who listens for that has something to end first.
  if (!isEngine && process.stdout.listenerCount('error') === 1) process.exit(error.code === 'EPIPE' ? 0 : 1);
});
process.stderr.on('error', () => {});
process.on('uncaughtException', (error) => {
  if (isEngine) cli.env.HOLDPOINT_DEBUG = '1';
  process.exit(reportError(error, cli));
});

void runCommandLine(args, cli).then((exitCode) => {
  // A pipe may still hold what was written, and ending the process would drop it.
  process.stdout.write('', () => process.exit(exitCode));
});
