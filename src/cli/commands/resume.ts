import type { Command } from 'commander';
import { Fault } from '../../faults.ts';
import type { PlanStatus } from '../../plan/lifecycle.ts';
import { collectInput } from '../arguments.ts';
import type { Cli } from '../cli.ts';
import { findPlan } from '../find-plan.ts';
import { examples, PLAN } from '../help.ts';
import { type NextRunOptions, nextRun } from '../next-run.ts';
import { sendTo } from '../send-command.ts';
import { withEngine } from '../with-engine.ts';
import { limitMeant, limitOption, type TypedLimit } from './limits.ts';

/** From these a plan goes on by its next run; from any other, by a command to the run there is. */
const ENDED: readonly PlanStatus[] = ['failed', 'stopped'];

export function addResume(program: Command, cli: Cli): void {
  const command = program
    .command('resume')
    .summary('let a plan go on; finished work is kept')
    .description('Let a paused plan go on; of a failed or stopped one, start the next run, which keeps finished work.')
    .argument(...PLAN)
    .option('--from <task>', 'run this task and all that depends on it again, too')
    .option('--plan <file>', 'go on by this edited plan file; what did not change is kept; - is standard input')
    .option('--input <name=value>', 'another value for an input of the plan; may be repeated', collectInput)
    .option('--dry-run', 'tell what would run and what would be kept; start nothing')
    .addOption(limitOption('--max-tokens', 'what the plan may spend on models from now on; none lifts its budget'))
    .addOption(limitOption('--max-cost', 'the same in money'))
    .option('--json', 'print the outcome as JSON')
    .action((plan: string, options: ResumeOptions) => resume(cli, plan, options));
  examples(command, [
    'resume 3f2b9c',
    'resume 3f2b9c --plan plan.yaml --dry-run',
    'resume 3f2b9c --from deploy',
    'resume 3f2b9c --max-tokens 200000',
  ]);
}

interface ResumeOptions extends NextRunOptions {
  maxTokens?: TypedLimit;
  maxCost?: TypedLimit;
}

async function resume(cli: Cli, plan: string, options: ResumeOptions): Promise<void> {
  await withEngine(cli, 'resume', async (engine) => {
    const id = await findPlan(engine, plan);
    const { status } = (await engine.service.read(engine.caller, id)).state;
    const budget = { max_tokens: limitMeant(options.maxTokens), max_cost: limitMeant(options.maxCost) };
    const isRaised = Object.values(budget).some((limit) => limit !== undefined);
    if (isRaised && ENDED.includes(status)) await engine.service.setBudget(engine.caller, id, budget);
    if (ENDED.includes(status)) return await nextRun(cli, engine, id, 'resume', options);
    mustBeBare(status, options);
    await sendTo(
      cli,
      engine,
      id,
      { name: 'resume', plan, done: 'resumed', ...(isRaised && { request: { budget } }) },
      options,
    );
  });
}

function mustBeBare(status: PlanStatus, { from, plan, input, dryRun }: NextRunOptions): void {
  if ([from, plan, input, dryRun].every((option) => option === undefined)) return;
  throw new Fault(
    'PLAN_INVALID_STATE',
    `the plan is ${status}: --from, --plan, --input and --dry-run are about the next run of a plan that failed or was stopped`,
  );
}
