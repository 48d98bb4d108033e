import { ActivityFailure, proxyActivities } from '@temporalio/workflow';
import { type ASIDES, TASK_INVALID } from '../contract/names.ts';
import { payload } from '../contract/payload-size.ts';
import {
  type AsideResult,
  type CollectInput,
  type EvaluateInput,
  type ExpandInput,
  HEARTBEAT_TIMEOUT_MS,
  INLINE_LIMIT,
  type LoadInput,
  type StoreInput,
} from '../contract/payloads.ts';
import type { MapWords } from '../plan/definition.ts';
import type { AsideWork } from '../plan/effects.ts';
import { renderDeep, type Scope } from '../plan/expression.ts';
import { computed } from '../plan/in-workflow.ts';
import { inlineLimit } from '../plan/inline.ts';
import type { Json } from '../plan/json.ts';
import { type Plan, taskAt } from '../plan/plan.ts';
import { attempt, holdsStored, scopeFor } from '../plan/scope.ts';

interface Inputs {
  evaluate: EvaluateInput;
  expand: ExpandInput;
  collect: CollectInput;
  store: StoreInput;
  load: LoadInput;
}
type AsideActivities = { [Name in keyof typeof ASIDES]: (input: Inputs[Name]) => Promise<AsideResult> };

/** They change nothing, so Temporal may repeat them until they are done. */
const activities = (summary: string) =>
  proxyActivities<AsideActivities>({
    startToCloseTimeout: '10 minutes',
    heartbeatTimeout: HEARTBEAT_TIMEOUT_MS,
    retry: { initialInterval: 100, maximumInterval: '10s', nonRetryableErrorTypes: [TASK_INVALID] },
    summary,
  });

const common = (plan: Plan) =>
  ({ schema_version: 1, plan_id: plan.plan_id, inline_limit: inlineLimit(plan.state.inline_bytes) }) as const;

type Computed = { ok: Json } | { error: string };

/** Has something worked out for a task by an activity; never throws. */
export const runAside = (plan: Plan, i: number, work: AsideWork): Promise<Computed> =>
  computedBy(() => ASKED[work.what](plan, i));

/** All expressions inside a value filled in: here, or by an activity where they read what is stored. Never throws. */
export async function evaluated(plan: Plan, words: Json, scope: Scope): Promise<Computed> {
  if (!holdsStored(scope as unknown as Json)) return attempt(() => renderDeep(words, scope));
  return await computedBy(() =>
    activities('outputs').evaluate(payload('what the outputs read', { ...common(plan), words, scope })),
  );
}

async function computedBy(ask: () => Promise<AsideResult>): Promise<Computed> {
  try {
    return { ok: (await ask()).value };
  } catch (failure) {
    const cause = failure instanceof ActivityFailure ? failure.cause : failure;
    return { error: cause instanceof Error ? cause.message : String(cause) };
  }
}

const ASKED: Record<AsideWork['what'], (plan: Plan, i: number) => Promise<AsideResult>> = {
  async if(plan, i) {
    const { task } = taskAt(plan, i);
    const input = { ...common(plan), expression: task.if!, scope: scopeFor(plan, i) };
    return await activities(`if of ${task.id}`).evaluate(payload(`what ${task.id} reads`, input));
  },
  async words(plan, i) {
    const { id, mode } = taskAt(plan, i).task;
    // A sub-plan's inputs and values for others may be references; what the workflow itself reads may not.
    const whole = ['question', 'clock'].includes(mode) ? { whole: true as const } : {};
    const input = { ...common(plan), words: computed(plan, i), scope: scopeFor(plan, i), ...whole };
    return await activities(id).evaluate(payload(`what ${id} reads`, input));
  },
  async expand(plan, i) {
    const { task } = taskAt(plan, i);
    const { in: list, iterate } = task.with as unknown as MapWords;
    const input = { ...common(plan), list, scope: scopeFor(plan, i), ...(iterate && { iterate }) };
    return await activities(`items of ${task.id}`).expand(payload(`what ${task.id} reads`, input));
  },
  async collect(plan, i) {
    const { task, at } = taskAt(plan, i);
    const lists = at.map!.batches.map((left) => left!.items);
    const input = { ...common(plan), lists };
    return await activities(`results of ${task.id}`).collect(payload(`what the batches of ${task.id} left`, input));
  },
};

/** A value, or its reference when it is large. */
export async function stored(plan: Plan, value: Json, what: string): Promise<Json> {
  return (await activities(what).store(payload(what, { ...common(plan), value }))).value;
}

/** The values that references stand for; they are known to be small enough. */
export async function loaded(planId: string, values: Json[], what: string): Promise<Json[]> {
  const input = { schema_version: 1, plan_id: planId, inline_limit: INLINE_LIMIT, values } as const;
  return (await activities(what).load(payload(what, input))).value as Json[];
}
