import type { Command } from 'commander';
import type { PlanStatus } from '../../plan/lifecycle.ts';
import type { Cli } from '../cli.ts';
import { findPlan } from '../find-plan.ts';
import { examples, PLAN } from '../help.ts';
import { nextRun } from '../next-run.ts';
import { sendTo } from '../send-command.ts';
import { withEngine } from '../with-engine.ts';

/** From these a plan goes on by its next run; from any other, by a command to the run there is. */
const ENDED: readonly PlanStatus[] = ['failed', 'stopped'];

export function addResume(program: Command, cli: Cli): void {
  const command = program
    .command('resume')
    .summary('let a plan go on; finished work is kept')
    .description('Let a paused plan go on; of a failed or stopped one, start the next run, which keeps finished work.')
    .argument(...PLAN)
    .option('--json', 'print the outcome as JSON')
    .action((plan: string, options: { json?: true }) => resume(cli, plan, options));
  examples(command, ['resume 3f2b9c']);
}

async function resume(cli: Cli, plan: string, options: { json?: true }): Promise<void> {
  await withEngine(cli, 'resume', async (engine) => {
    const id = await findPlan(engine, plan);
    const { state } = await engine.service.read(engine.caller, id);
    if (ENDED.includes(state.status)) await nextRun(cli, engine, id, 'resume', options);
    else await sendTo(cli, engine, id, { name: 'resume', plan, done: 'resumed' }, options);
  });
}
