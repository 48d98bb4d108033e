import type { Command } from 'commander';
import { Fault } from '../../faults.ts';
import { type AttemptRecord, attemptsOf } from '../../service/attempts.ts';
import type { ReadPlan } from '../../service/read-plan.ts';
import { type Reason, whyPlan, whyTask } from '../../service/why.ts';
import { type Cli, printJson } from '../cli.ts';
import { findPlan } from '../find-plan.ts';
import { examples, PLAN } from '../help.ts';
import { attemptLine, reasonLines, stderrLines } from '../render/why.ts';
import { type Engine, withEngine } from '../with-engine.ts';

export function addWhy(program: Command, cli: Cli): void {
  const command = program
    .command('why')
    .summary('say why a plan, or a task, is where it is')
    .description(
      'Say why a plan, or one of its tasks, is where it is: what it waits for, since when, and what would let it go on.',
    )
    .argument(...PLAN)
    .argument('[task]', 'a task of it')
    .option('--json', 'print the reasons as JSON')
    .action((plan: string, task: string | undefined, options: { json?: true }) => why(cli, plan, task, options));
  examples(command, ['why 3f2b9c', 'why 3f2b9c deploy']);
}

async function why(cli: Cli, plan: string, named: string | undefined, { json }: { json?: true }): Promise<void> {
  const told = await withEngine(cli, 'why', async (engine) => tell(engine, await findPlan(engine, plan), named));
  if (json) return printJson(cli, told);
  for (const line of lines(told, cli)) cli.out.line(line);
}

/** The reasons, and of the task that is named or has failed the plan how its attempts went. */
async function tell({ service, caller }: Engine, planId: string, named: string | undefined) {
  const view = await service.read(caller, planId);
  const reasons = named === undefined ? whyPlan(view, Date.now()) : whyTask(view, named, Date.now());
  if (!reasons) throw new Fault('TASK_NOT_FOUND', `plan ${planId} has no task "${named}"`);
  const task = named ?? view.error?.task;
  const attempts = task === undefined ? [] : attemptsOf(await service.events(caller, planId, 0), task);
  const stderr = task === undefined ? undefined : stderrOf(view, task);
  const about = task !== undefined && { attempts, ...(stderr !== undefined && { stderr }) };
  return { plan_id: planId, ...(task !== undefined && { task }), state: view.state, reasons, ...about };
}

interface Told {
  plan_id: string;
  state: ReadPlan['state'];
  reasons: Reason[];
  attempts?: AttemptRecord[];
  stderr?: string;
}

function lines({ plan_id, state, reasons, attempts = [], stderr }: Told, cli: Cli): string[] {
  const told = reasons.flatMap((reason) => reasonLines(reason, plan_id, cli));
  return [
    ...(told.length > 0 ? told : [`- the plan is ${state.status}, and its next task starts at any moment`]),
    ...(attempts.length > 0 ? ['', 'attempts:', ...attempts.map(attemptLine)] : []),
    ...(stderr?.trim() ? ['', 'the end of its stderr:', ...stderrLines(stderr)] : []),
  ];
}

function stderrOf({ tasks, error }: ReadPlan, id: string): string | undefined {
  const of = tasks.find((task) => task.id === id)?.error ?? (error?.task === id ? error : undefined);
  const details = of?.details;
  const stderr = details && typeof details === 'object' && 'stderr' in details ? details.stderr : undefined;
  return typeof stderr === 'string' ? stderr : undefined;
}
