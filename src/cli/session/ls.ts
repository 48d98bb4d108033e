import { loadConfig } from '../../config.ts';
import { type Cli, printJson } from '../cli.ts';
import { sessionListLines } from '../render/session-list.ts';
import { withEngine } from '../with-engine.ts';
import { sessionRows } from './session-row.ts';

export interface ListOptions {
  all?: true;
  json?: true;
}

export async function list(cli: Cli, { all, json }: ListOptions): Promise<void> {
  const { home } = loadConfig(cli.env);
  const rows = await withEngine(cli, 'sessions ls', (engine) => sessionRows(engine, home));
  const shown = all ? rows : rows.filter((row) => row.resumable && row.directory === cli.directory);
  if (json) return printJson(cli, shown);
  for (const line of sessionListLines(shown, cli, all)) cli.out.line(line);
  if (shown.length > 0) return;
  const others = rows.length > 0 && !all ? `; of others there are some: ${cli.self} sessions ls --all` : '';
  cli.err.line(all ? 'no sessions' : `no session of this directory can be resumed${others}`);
}
