import type { Command } from 'commander';
import { type Cli, printJson } from '../cli.ts';
import { findPlan } from '../find-plan.ts';
import { examples, PLAN } from '../help.ts';
import { planViewLines } from '../render/plan-view.ts';
import { withEngine } from '../with-engine.ts';

export function addShow(program: Command, cli: Cli): void {
  const command = program
    .command('show')
    .summary('show where a plan stands')
    .description('Show where a plan stands: its tasks, what it waits for, and what can be done.')
    .argument(...PLAN)
    .option('--json', 'print the view as JSON')
    .action((plan: string, options: { json?: true }) => show(cli, plan, options));
  examples(command, ['show 3f2b9c', 'show 3f2b9c --json']);
}

async function show(cli: Cli, plan: string, { json }: { json?: true }): Promise<void> {
  const view = await withEngine(cli, 'show', async (engine) =>
    engine.service.read(engine.caller, await findPlan(engine, plan)),
  );
  if (json) return printJson(cli, view);
  for (const line of planViewLines(view, cli)) cli.out.line(line);
}
