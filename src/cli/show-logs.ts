import type { AttemptLog } from '../activities/logs/log-store.ts';
import { readText } from '../activities/logs/log-text.ts';
import { Fault } from '../faults.ts';
import type { Cli } from './cli.ts';
import type { LogOptions } from './commands/logs.ts';
import type { LogSource } from './log-source.ts';
import { logPrinter } from './render/log-lines.ts';

/** Prints what there is: the newest attempt of one task, or all that each task wrote in the newest run in which it did. */
export async function showLogs(
  cli: Cli,
  source: LogSource,
  task: string | undefined,
  { run, attempt, tail, json }: LogOptions,
): Promise<void> {
  const all = await source.list({ ...(task !== undefined && { task }) });
  const fit = all.filter((log) => (run ?? log.run) === log.run && (attempt ?? log.attempt) === log.attempt);
  if (fit.length === 0) return tellNone(cli, all, task);
  const logs = task === undefined ? ofNewestRuns(fit) : fit.slice(-1);
  const print = logPrinter(cli, { named: task === undefined, json });
  for (const log of logs) {
    const open = await source.open({ ...log, tail });
    if (!open) continue;
    const part = { read: open.read, list: async () => [] };
    for await (const piece of readText(part, '', log, { from: open.from, to: open.to, complete: true }))
      await print.piece(log, piece);
    await print.end(log);
  }
  const [shown] = logs;
  if (task !== undefined && shown && all.length > 1)
    cli.err.line(
      cli.err.colours.dim(
        `this was attempt ${shown.attempt} of run ${shown.run}; there are ${all.length} logs: see --run and --attempt`,
      ),
    );
}

function ofNewestRuns(logs: AttemptLog[]): AttemptLog[] {
  const newest = new Map(logs.map(({ task, run }) => [task, run]));
  return logs.filter(({ task, run }) => run === newest.get(task));
}

function tellNone({ err }: Cli, all: AttemptLog[], task: string | undefined): void {
  if (all.length === 0) {
    err.line(task === undefined ? 'no task has written anything' : `task ${task} has no output`);
    return;
  }
  const there = [...new Set(all.map(({ run, attempt }) => `--run ${run} --attempt ${attempt}`))].slice(-10);
  throw new Fault('OUTPUT_NOT_FOUND', `there is no such log of ${task ?? 'this plan'}; try ${there.join(', or ')}`);
}
