import { once } from 'node:events';
import type { Command } from 'commander';
import { parseCount } from '../arguments.ts';
import { type Cli, INTERRUPTED } from '../cli.ts';
import { followLogs } from '../follow-logs.ts';
import { examples, PLAN } from '../help.ts';
import { openLogSource } from '../log-source.ts';
import { showLogs } from '../show-logs.ts';

export interface LogOptions {
  follow?: true;
  attempt?: number;
  run?: number;
  tail?: number;
  json?: true;
}

export function addLogs(program: Command, cli: Cli): void {
  const command = program
    .command('logs')
    .summary('show what tasks wrote')
    .description('Show what a task wrote, or what all tasks of a plan did; also of plans whose engine does not run.')
    .argument(...PLAN)
    .argument('[task]', 'the task, such as build, build/compile or each[0]')
    .option('-f, --follow', "show it as it is written, until the plan's run ends, or the task can do no more in it")
    .option('--attempt <n>', 'only this attempt (default: the newest)', parseCount)
    .option('--run <n>', 'of this run of the plan (default: the newest in which the task wrote something)', parseCount)
    .option('--tail <n>', 'only the last so many lines of each task', parseCount)
    .option('--json', 'print it in pieces, one JSON object per line')
    .action((plan: string, task: string | undefined, options: LogOptions) => logs(cli, plan, task, options));
  examples(command, ['logs 3f2b9c build', 'logs 3f2b9c -f', 'logs 3f2b9c build --attempt 1 --tail 20']);
}

async function logs(cli: Cli, plan: string, task: string | undefined, options: LogOptions): Promise<void> {
  if (!options.follow) {
    const source = await openLogSource(cli, plan);
    return await showLogs(cli, source, task, options).finally(source.close);
  }
  const signal = cli.interrupt();
  const interrupted = once(signal, 'abort').then(() => INTERRUPTED);
  cli.exitCode = await Promise.race([interrupted, followLogs(cli, plan, task, options, signal).then(() => 0)]);
}
