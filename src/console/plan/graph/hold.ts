import { allows } from '../../../plan/lifecycle.ts';
import type { Me, Plan, Task } from '../../api/types.ts';
import { TASK_BADGES } from '../../ui/badges.ts';

/** What of a plan decides whether a task of it may be held. */
export type Standing = Pick<Plan, 'plan_id' | 'state' | 'pausing' | 'stopping' | 'allowed_actions'>;

export interface HoldOffer {
  action: 'hold' | 'release';
  /** Why the API would refuse it now. */
  refusal?: string;
}

const HOLDABLE: readonly Task['status'][] = ['pending', 'backing_off'];

/** Whether a hold point is of use here: the task has not begun. */
export const isHoldable = ({ status }: Pick<Task, 'status'>): boolean => HOLDABLE.includes(status);

/** A hold point outlives its task when that ends without having begun; it holds nothing then. */
export const isHeld = (task: Pick<Task, 'status' | 'hold'>): boolean => task.hold !== undefined && isHoldable(task);

/** What the button of a task does: it sets a hold, or takes away the one that is there. */
export function holdOffer(plan: Standing, task: Task, me: Pick<Me, 'permissions'> | undefined): HoldOffer {
  const action = isHeld(task) ? 'release' : 'hold';
  const refusal = refusalOf(action, plan, task, me);
  return refusal === undefined ? { action } : { action, refusal };
}

function refusalOf(
  action: HoldOffer['action'],
  plan: Standing,
  task: Task,
  me: Pick<Me, 'permissions'> | undefined,
): string | undefined {
  if (!isHoldable(task))
    return `Task ${task.id} is ${TASK_BADGES[task.status].words.toLowerCase()}; only what has not begun can be held.`;
  if (plan.stopping) return 'The plan is being stopped: nothing more is taken.';
  if (!isAllowed(action, plan, task)) return `The plan is ${plan.state.status}: nothing in it can be ${PAST[action]}.`;
  if (!me) return 'Reading what you may do …';
  if (!me.permissions.includes('plan:approve')) return 'You lack the permission plan:approve.';
  return undefined;
}
const PAST = { hold: 'held', release: 'released' } as const;

/** `allowed_actions` counts the plan's own tasks; for what is inside a sub-plan or map the table of commands is asked. */
function isAllowed(action: HoldOffer['action'], plan: Standing, task: Task): boolean {
  if (plan.allowed_actions.includes(action)) return true;
  const { state, pausing, stopping } = plan;
  return /[/[]/.test(task.id) && allows(action, { status: state.status, pausing, stopping });
}
