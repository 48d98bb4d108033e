import { CancellationScope, getExternalWorkflowHandle, proxyActivities, workflowInfo } from '@temporalio/workflow';
import { ASK_FOR_SLOT, groupId, SLOT_GIVEN_BACK } from '../contract/names.ts';
import type { AskForSlotInput, PlanInput, SlotInput } from '../contract/payloads.ts';
import type { SlotWish } from '../plan/effects.ts';
import type { Plan } from '../plan/plan.ts';

/** Tells a plan's group what the plan wants of it, one thing after another. */
export function slotTalk({ principal: { org_id } }: PlanInput) {
  let last: Promise<void> | undefined;

  async function ask({ plan_id, definition, state }: Plan, ticket: number): Promise<void> {
    const { group, max } = definition.concurrency!;
    const { runId: run_id } = workflowInfo();
    const asked = { schema_version: 1, plan_id, run_id, ticket, max, since: state.slot!.since } as const;
    await activities(`slot of ${group}`)[ASK_FOR_SLOT]({ schema_version: 1, org_id, group, asked });
  }

  async function giveBack({ plan_id, definition }: Plan, ticket: number): Promise<void> {
    const handle = getExternalWorkflowHandle(groupId(org_id, definition.concurrency!.group));
    const input: SlotInput = { schema_version: 1, plan_id, ticket };
    // A group that is gone has forgotten the plan.
    await handle.signal(SLOT_GIVEN_BACK, input).catch(() => {});
  }

  return {
    tell(plan: Plan, wish: SlotWish): void {
      const send = () =>
        CancellationScope.nonCancellable(() => ('ask' in wish ? ask(plan, wish.ask) : giveBack(plan, wish.give_back)));
      last = last ? last.then(send) : send();
    },
    /** What a workflow has not told when it closes is lost. */
    told: (): Promise<void> | undefined => last,
  };
}

/** The same as often as one likes, so Temporal may repeat it until it is done. */
const activities = (summary: string) =>
  proxyActivities<Record<typeof ASK_FOR_SLOT, (input: AskForSlotInput) => Promise<void>>>({
    startToCloseTimeout: '5s',
    retry: { initialInterval: 100, maximumInterval: '10s' },
    summary,
  });
