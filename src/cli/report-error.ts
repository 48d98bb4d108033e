import { CommanderError } from 'commander';
import { asFault, FAULTS, type Fault } from '../faults.ts';
import type { LimitName } from '../plan/limits.ts';
import type { Cli } from './cli.ts';
import { UsageError } from './help.ts';
import { raiseCommand } from './render/raise-limit.ts';

/** Says on stderr what went wrong, a plan file's problems one by one; gives the exit code of the fault table. */
export function reportError(thrown: unknown, cli: Cli): number {
  if (thrown instanceof CommanderError) return reportUsage(thrown, cli);
  const fault = asFault(thrown);
  say(cli, messageOf(fault));
  if (hasPlaces(fault)) for (const place of fault.places()) cli.err.line(place);
  const raise = raiseOf(fault, cli);
  if (raise) cli.err.line(`  ${raise}`);
  if (cli.env.HOLDPOINT_DEBUG === '1') cli.err.line(traceOf(fault));
  return FAULTS[fault.code].exit;
}

/** Help and version come as "errors" too, and have been printed. */
function reportUsage(error: CommanderError, cli: Cli): number {
  const { exitCode, code, message } = error;
  const of = error instanceof UsageError ? ` ${error.command}` : '';
  if (exitCode === 0) return 0;
  if (code !== 'commander.help') {
    const [what, hint] = message.replace(/^error: /, '').split('\n');
    const meant = hint && /^\(Did you mean (.*)\?\)$/.exec(hint)?.[1];
    say(cli, meant ? `${what}; did you mean ${meant}?` : `${what?.replace(/\.$/, '')}; see ${cli.self}${of} --help`);
  }
  return FAULTS.USAGE.exit;
}

/** The command that raises the limit in the way. A plan's budget is raised by the command that was refused, as its message says. */
function raiseOf({ limit: over }: Fault, cli: Cli): string | undefined {
  return over && raiseCommand({ ...over, limit: over.limit as LimitName, needs: over.max + over.missing }, cli);
}

const hasPlaces = (fault: Fault): fault is Fault & { places(): string[] } => 'places' in fault;

const say = ({ err }: Cli, text: string): void => err.line(`${err.colours.red('holdpoint:')} ${text}`);

const messageOf = ({ code, message }: Fault): string =>
  code === 'INTERNAL' ? `something went wrong inside Holdpoint: ${message}; HOLDPOINT_DEBUG=1 shows where` : message;

function traceOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const { stack, cause } = error;
  return cause === undefined ? `${stack}` : `${stack}\ncaused by: ${traceOf(cause)}`;
}
