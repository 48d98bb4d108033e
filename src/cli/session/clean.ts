import { loadConfig } from '../../config.ts';
import { asFault, Fault } from '../../faults.ts';
import { removeLease } from '../../home/leases.ts';
import { parseDuration } from '../../plan/duration.ts';
import { worktreeHolds } from '../../service/session-worktree.ts';
import { type Cli, printJson } from '../cli.ts';
import { sessionListLines } from '../render/session-list.ts';
import { count } from '../render/text.ts';
import { type Engine, withEngine } from '../with-engine.ts';
import { type SessionRow, sessionRows } from './session-row.ts';

export interface CleanOptions {
  all?: true;
  olderThan?: string;
  yes?: true;
  json?: true;
}

export async function clean(cli: Cli, options: CleanOptions): Promise<void> {
  const { home } = loadConfig(cli.env);
  const older = spanOf(options.olderThan);
  await withEngine(cli, 'sessions clean', async (engine) => {
    const rows = (await sessionRows(engine, home)).filter((row) => isMeant(row, cli.directory, options, older));
    if (rows.length > 0) await mustAgree(cli, rows, options);
    const kept: Kept[] = [];
    const removed = await removeAll(engine, home, rows, kept);
    if (options.json) return printJson(cli, { removed, kept });
    for (const { session_id, why } of kept) cli.err.line(`kept of ${session_id}: ${why}`);
    if (rows.length === 0) cli.err.line('nothing to remove');
    else cli.out.line(`removed ${count(removed.length, 'session')}`);
  });
}

interface Kept {
  session_id: string;
  why: string;
}

function isMeant(
  { status, directory, updated_at, held_by }: SessionRow,
  here: string,
  { all }: CleanOptions,
  older: number,
): boolean {
  const isOver = status === 'completed' || (all && status !== 'running' && status !== 'waiting');
  return (
    Boolean(isOver) &&
    held_by === undefined &&
    (all || directory === here) &&
    Date.now() - Date.parse(updated_at) >= older
  );
}

function spanOf(text: string | undefined): number {
  const span = text === undefined ? 0 : parseDuration(text);
  if (span === undefined) throw new Fault('USAGE', `--older-than "${text}": write a time such as 12h or 7d`);
  return span;
}

async function mustAgree(cli: Cli, rows: SessionRow[], { all, yes }: CleanOptions): Promise<void> {
  if (yes) return;
  const losing = rows.filter(({ resumable }) => resumable).length;
  const warning = losing > 0 ? `, ${losing} of which could be resumed` : '';
  const what = `${count(rows.length, 'session')}${warning}`;
  if (!cli.ask) throw new Fault('USAGE', `would remove ${what}; say --yes to remove them`);
  for (const line of sessionListLines(rows, cli, all)) cli.err.line(line);
  if (!(await cli.ask(`Remove ${what}?`))) throw new Fault('USAGE', 'nothing was removed');
}

/** One that cannot be removed does not keep the others. Gives the ids of those that were. */
async function removeAll(engine: Engine, home: string, rows: SessionRow[], kept: Kept[]): Promise<string[]> {
  const removed = await inParallel(rows, async ({ session_id, plan_id, status }) => {
    try {
      const { kept: notes } = await remove(engine, plan_id, status);
      kept.push(...notes.map((why) => ({ session_id, why })));
      removeLease(home, plan_id);
      return [session_id];
    } catch (error) {
      const fault = asFault(error);
      if (fault.code === 'ENGINE_UNAVAILABLE') throw fault;
      kept.push({ session_id, why: fault.message });
      return [];
    }
  });
  return removed.flat();
}

/** Each waits most of its time. */
const AT_ONCE = 20;

async function inParallel<T, R>(all: T[], work: (one: T) => Promise<R>): Promise<R[]> {
  const done: R[] = [];
  for (let from = 0; from < all.length; from += AT_ONCE)
    done.push(...(await Promise.all(all.slice(from, from + AT_ONCE).map(work))));
  return done;
}

/** What is held is stopped first: an open plan cannot be removed. What will be kept is left as it is. */
async function remove({ service, caller }: Engine, planId: string, status: SessionRow['status']) {
  if (status === 'paused' || status === 'interrupted') {
    const holds = await worktreeHolds(await service.session(caller, planId));
    if (holds !== undefined) throw new Fault('PLAN_INVALID_STATE', `its worktree holds work: ${holds}`);
    await service.command(caller, planId, 'stop').catch((error: unknown) => {
      if (asFault(error).code !== 'PLAN_INVALID_STATE') throw error;
    });
  }
  return await service.removeSession(caller, planId);
}
