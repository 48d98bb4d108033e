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
  const { shown, others } = await withEngine(cli, 'sessions ls', async (engine) => {
    const rows = await sessionRows(engine, home, all ? undefined : 'unfinished');
    const shown = all ? rows : rows.filter((row) => row.resumable && row.directory === cli.directory);
    const isNone = shown.length === 0 && !json;
    return { shown, others: isNone && !all && (rows.length > 0 || (await sessionRows(engine, home)).length > 0) };
  });
  if (json) return printJson(cli, shown);
  for (const line of sessionListLines(shown, cli, all)) cli.out.line(line);
  if (shown.length > 0) return;
  const rest = others ? `; of others there are some: ${cli.self} sessions ls --all` : '';
  cli.err.line(all ? 'no sessions' : `no session of this directory can be resumed${rest}`);
}
