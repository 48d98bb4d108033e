import type { Command } from 'commander';
import { FAULTS } from '../../faults.ts';
import { type Cli, printJson } from '../cli.ts';
import { examples } from '../help.ts';
import { engineStatusLines } from '../render/engine-status.ts';

export function addServer(program: Command, cli: Cli): void {
  const server = program
    .command('server')
    .summary('status or end of the engine')
    .description('The engine of this HOLDPOINT_HOME: its status, or its end.');
  examples(server, ['server status', 'server stop']);
  const ofStatus = server
    .command('status')
    .summary('show whether an engine runs, and where')
    .description('Show whether an engine runs, and where; exit code 6 when none does.')
    .option('--json', 'print it as JSON')
    .action((options: { json?: true }) => status(cli, options));
  const ofStop = server
    .command('stop')
    .summary('end the engine and its Temporal server')
    .description('End the engine and its embedded Temporal server. Plans are kept, and go on when an engine starts.')
    .option('--json', 'print the outcome as JSON')
    .action((options: { json?: true }) => stop(cli, options));
  examples(ofStatus, ['server status', 'server status --json']);
  examples(ofStop, ['server stop']);
}

async function status(cli: Cli, { json }: { json?: true }): Promise<void> {
  const found = await cli.engine.status();
  if (json) printJson(cli, found);
  else for (const line of engineStatusLines(found, cli)) cli.out.line(line);
  if (!found.running) cli.exitCode = FAULTS.ENGINE_UNAVAILABLE.exit;
}

async function stop(cli: Cli, { json }: { json?: true }): Promise<void> {
  const stopped = await cli.engine.stop((text) => cli.err.line(cli.err.colours.dim(text)));
  if (json) printJson(cli, { stopped });
  else cli.out.line(stopped ? 'the engine has ended; plans are kept' : 'no engine runs');
}
