import type { Command } from 'commander';
import { loadConfig } from '../../config.ts';
import { type Cli, printJson } from '../cli.ts';
import { examples } from '../help.ts';
import { sessionListLines } from '../render/session-list.ts';
import { sessionRows } from '../session/session-row.ts';
import { withEngine } from '../with-engine.ts';

interface Options {
  all?: true;
  json?: true;
}

export function addSessionsLs(sessions: Command, cli: Cli): void {
  const command = sessions
    .command('ls')
    .alias('list')
    .summary('list sessions that can be resumed, newest first')
    .description('List the sessions of this directory that can be resumed, newest first.')
    .option('--all', 'those of every directory, and those that run or are over')
    .option('--json', 'print the list as JSON')
    .action((options: Options) => list(cli, options));
  examples(command, ['sessions ls', 'sessions ls --all', 'sessions ls --json']);
}

async function list(cli: Cli, { all, json }: Options): Promise<void> {
  const { home } = loadConfig(cli.env);
  const rows = await withEngine(cli, 'sessions ls', (engine) => sessionRows(engine, home));
  const shown = all ? rows : rows.filter((row) => row.resumable && row.directory === cli.directory);
  if (json) return printJson(cli, shown);
  for (const line of sessionListLines(shown, cli, all)) cli.out.line(line);
  if (shown.length > 0) return;
  const others = rows.length > 0 && !all ? `; of others there are some: ${cli.self} sessions ls --all` : '';
  cli.err.line(all ? 'no sessions' : `no session of this directory can be resumed${others}`);
}
