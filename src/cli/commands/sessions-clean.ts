import type { Command } from 'commander';
import { loadConfig } from '../../config.ts';
import { asFault, Fault } from '../../faults.ts';
import { removeLease } from '../../home/leases.ts';
import { parseDuration } from '../../plan/duration.ts';
import type { Cli } from '../cli.ts';
import { examples } from '../help.ts';
import { sessionListLines } from '../render/session-list.ts';
import { count } from '../render/text.ts';
import { type SessionRow, sessionRows } from '../session/session-row.ts';
import { type Engine, withEngine } from '../with-engine.ts';

interface Options {
  all?: true;
  olderThan?: string;
  yes?: true;
}

export function addSessionsClean(sessions: Command, cli: Cli): void {
  const command = sessions
    .command('clean')
    .summary('remove sessions that are over')
    .description(
      'Remove the sessions of this directory that completed. What can be resumed is kept, unless --all says so.',
    )
    .option('--all', 'of every directory, and what could be resumed, too; what is running is kept')
    .option('--older-than <time>', 'only what has not moved for so long, such as 7d')
    .option('-y, --yes', 'remove without asking')
    .action((options: Options) => clean(cli, options));
  examples(command, ['sessions clean', 'sessions clean --older-than 7d --yes', 'sessions clean --all']);
}

async function clean(cli: Cli, options: Options): Promise<void> {
  const { home } = loadConfig(cli.env);
  const older = spanOf(options.olderThan);
  await withEngine(cli, 'sessions clean', async (engine) => {
    const rows = (await sessionRows(engine, home)).filter((row) => isMeant(row, cli.directory, options, older));
    if (rows.length === 0) return cli.err.line('nothing to remove');
    await mustAgree(cli, rows, options);
    const removed = await removeAll(cli, engine, home, rows);
    cli.out.line(`removed ${count(removed, 'session')}`);
  });
}

function isMeant(
  { status, directory, updated_at }: SessionRow,
  here: string,
  { all }: Options,
  older: number,
): boolean {
  const isOver = status === 'completed' || (all && status !== 'running' && status !== 'waiting');
  return Boolean(isOver) && (all || directory === here) && Date.now() - Date.parse(updated_at) >= older;
}

function spanOf(text: string | undefined): number {
  const span = text === undefined ? 0 : parseDuration(text);
  if (span === undefined) throw new Fault('USAGE', `--older-than "${text}": write a time such as 12h or 7d`);
  return span;
}

async function mustAgree(cli: Cli, rows: SessionRow[], { all, yes }: Options): Promise<void> {
  if (yes) return;
  const losing = rows.filter(({ resumable }) => resumable).length;
  const warning = losing > 0 ? `, ${losing} of which could be resumed` : '';
  const what = `${count(rows.length, 'session')}${warning}`;
  if (!cli.ask) throw new Fault('USAGE', `would remove ${what}; say --yes to remove them`);
  for (const line of sessionListLines(rows, cli, all)) cli.err.line(line);
  if (!(await cli.ask(`Remove ${what}?`))) throw new Fault('USAGE', 'nothing was removed');
}

/** One that cannot be removed does not keep the others. */
async function removeAll(cli: Cli, engine: Engine, home: string, rows: SessionRow[]): Promise<number> {
  const removed = await inParallel(rows, async ({ session_id, plan_id, status }) => {
    try {
      await remove(engine, plan_id, status);
      removeLease(home, plan_id);
      return true;
    } catch (error) {
      const fault = asFault(error);
      if (fault.code === 'ENGINE_UNAVAILABLE') throw fault;
      cli.err.line(`kept ${session_id}: ${fault.message}`);
      return false;
    }
  });
  return removed.filter(Boolean).length;
}

/** Each waits most of its time. */
const AT_ONCE = 20;

async function inParallel<T, R>(all: T[], work: (one: T) => Promise<R>): Promise<R[]> {
  const done: R[] = [];
  for (let from = 0; from < all.length; from += AT_ONCE)
    done.push(...(await Promise.all(all.slice(from, from + AT_ONCE).map(work))));
  return done;
}

/** What is held is stopped first: an open plan cannot be removed. */
async function remove({ service, caller }: Engine, planId: string, status: SessionRow['status']): Promise<void> {
  if (status === 'paused' || status === 'interrupted')
    await service.command(caller, planId, 'stop').catch((error: unknown) => {
      if (asFault(error).code !== 'PLAN_INVALID_STATE') throw error;
    });
  await service.removeSession(caller, planId);
}
