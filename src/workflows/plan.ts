import { CancellationScope, condition } from '@temporalio/workflow';
import type { PlanInput, PlanResult } from '../contract/payloads.ts';
import type { ChildResult } from '../plan/child.ts';
import { beginPlan } from './begin.ts';
import { drive } from './drive.ts';
import { closePlan, leave } from './end.ts';

/** One plan. The rules are in `src/plan`; the workflow only drives them. */
export async function plan(input: PlanInput): Promise<PlanResult> {
  return await run(input, closePlan);
}

/** The plan of a task of kind `plan`, controlled through its parent. */
export async function subplan(input: PlanInput): Promise<ChildResult> {
  return await run(input, leave);
}

/** Some tasks of a plan, or some items of a map, with a history of their own. */
export async function segment(input: PlanInput): Promise<ChildResult> {
  return await run(input, leave);
}

async function run<Result>(
  input: PlanInput,
  end: (input: PlanInput, driver: ReturnType<typeof drive>) => Promise<Result>,
): Promise<Result> {
  const driver = drive(input);
  // Stopping is ours to do in order, so a cancel request from Temporal is a stop, not a cancellation of what runs.
  CancellationScope.current().cancelRequested.catch(() => driver.command('stop', { actor: OPERATOR }));
  return await CancellationScope.nonCancellable(async () => {
    driver.begin(await beginPlan(input));
    await condition(driver.isOver);
    await slotsTold(driver);
    return await end(input, driver);
  });
}

/** What comes from the plan's group meanwhile may have to be answered, too. */
async function slotsTold({ slotsTold }: ReturnType<typeof drive>): Promise<void> {
  for (let last = slotsTold(); last; ) {
    await last;
    const now = slotsTold();
    last = now === last ? undefined : now;
  }
}

const OPERATOR = { id: 'temporal', name: 'operator (Temporal)', org_id: '' };
