/** A plan, whoever runs it. */
export interface PlanRef {
  org_id: string;
  plan_id: string;
}

/**
 * By which a plan's workflow hints that there are new events. Nothing of it is in the history, and a worker may offer no
 * such sink. A hint may be early (its Workflow Task is not committed yet), repeated or lost: what is true is asked for.
 */
export type HintSinks = { hints: { moved(plan: PlanRef): void } };
