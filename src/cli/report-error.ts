import { CommanderError } from 'commander';
import { asFault, FAULTS, type Fault } from '../faults.ts';
import type { Cli } from './cli.ts';
import { PlanFileFault } from './plan-argument.ts';

/** Says on stderr what went wrong, in one line or one per problem of a plan file; gives the exit code of the fault table. */
export function reportError(thrown: unknown, cli: Cli): number {
  if (thrown instanceof CommanderError) return reportUsage(thrown, cli);
  const fault = asFault(thrown);
  for (const line of linesOf(fault)) say(cli, line);
  if (cli.env.HOLDPOINT_DEBUG === '1') cli.err.line(traceOf(fault));
  return FAULTS[fault.code].exit;
}

/** Help and version come as "errors" too, and have been printed. */
function reportUsage({ exitCode, code, message }: CommanderError, cli: Cli): number {
  if (exitCode === 0) return 0;
  if (code !== 'commander.help') {
    const [what = '', hint = ''] = message.replace(/^error: /, '').split('\n');
    const meant = hint.replace(/^\(Did you mean (.*)\?\)$/, '; did you mean $1?');
    say(cli, meant ? `${what}${meant}` : `${what}; see ${cli.self} --help`);
  }
  return FAULTS.USAGE.exit;
}

function linesOf(fault: Fault): string[] {
  if (fault instanceof PlanFileFault) {
    const { file, errors = [] } = fault;
    const places = errors.map(({ line = 1, column = 1, message }) => `${file}:${line}:${column}: ${message}`);
    return [`${file} is not a valid plan: ${errors.length === 1 ? '1 problem' : `${errors.length} problems`}`, ...places];
  }
  if (fault.code !== 'INTERNAL') return [fault.message];
  return [`something went wrong inside Holdpoint: ${fault.message}; HOLDPOINT_DEBUG=1 shows where`];
}

/** The first line says who speaks; places in files stay bare, so that editors find them. */
function say({ err }: Cli, line: string): void {
  err.line(/:\d+:\d+: /.test(line) ? line : `${err.colours.red('holdpoint:')} ${line}`);
}

function traceOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const { stack, cause } = error;
  return cause === undefined ? `${stack}` : `${stack}\ncaused by: ${traceOf(cause)}`;
}
