import type { Command } from 'commander';
import { parseCount } from '../arguments.ts';
import { type Cli, printJson } from '../cli.ts';
import { examples } from '../help.ts';
import { planListLines } from '../render/plan-list.ts';
import { withEngine } from '../with-engine.ts';

interface Options {
  state?: string;
  name?: string;
  limit?: number;
  json?: true;
}

export function addLs(program: Command, cli: Cli): void {
  const command = program
    .command('ls')
    .summary('list plans, newest first')
    .description('List plans, newest first. A new plan shows up within about a second.')
    .option('--state <state>', 'only plans in this state, such as executing or paused')
    .option('--name <name>', 'only plans of this name')
    .option('--limit <n>', 'at most this many, up to 500 (default: 50)', parseCount)
    .option('--json', 'print the list as JSON')
    .action((options: Options) => list(cli, options));
  examples(command, ['ls', 'ls --state awaiting_input', 'ls --name release --limit 5 --json']);
}

async function list(cli: Cli, { json, ...request }: Options): Promise<void> {
  const found = await withEngine(cli, 'ls', ({ service, caller }) => service.list(caller, request));
  if (json) return printJson(cli, found);
  for (const line of planListLines(found.plans, cli.out.colours)) cli.out.line(line);
  if (found.plans.length === 0) cli.err.line('no plans');
  if (found.next_cursor !== null) cli.err.line('there are more; show them with --limit');
}
