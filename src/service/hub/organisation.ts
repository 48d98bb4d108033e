import { setTimeout as delay } from 'node:timers/promises';
import type { PlanRef } from '../../contract/hints.ts';
import type { PlanEvent } from '../../plan/events.ts';
import type { PlanStateView, PlanStatus } from '../../plan/lifecycle.ts';
import type { ReadPlan } from '../read-plan.ts';
import type { Story, StoryRequest } from '../story.ts';
import { follow } from './follow.ts';
import type { WatchedPlan } from './watched-plan.ts';

/** One change of one plan's state. `at` in ms since the epoch. */
export interface StateChange extends PlanRef {
  state: PlanStateView;
  seq: number;
  at: number;
}

export interface OrganisationSources {
  watch(planId: string): { watched: WatchedPlan; release(): void };
  /** Has a plan that is being watched read again. */
  nudge(planId: string): void;
  read(planId: string, request: StoryRequest): Promise<Story>;
  readView(planId: string): Promise<ReadPlan>;
  /** How the plans that are open, or were until just now, stand in Temporal's list. */
  statuses(): Promise<{ plan_id: string; status: PlanStatus }[]>;
  /** How often the list is compared: for plans that other engines run, for what was ended from outside, and for lost hints. */
  compareMs: number;
}

/** The list lags, and clocks of machines differ by a little. */
const BEFORE_MS = 1_000;
/** Events looked back at to find the first that is new to the subscribers. */
const LOOK_BACK = 50;

/** Tells every change of state of an organisation's plans, per plan in order and each once, from now on. */
export function watchOrganisation(org_id: string, sources: OrganisationSources, tell: (change: StateChange) => void) {
  const since = Date.now() - BEFORE_MS;
  const ended = new AbortController();
  const { signal } = ended;
  /** By plan: the number of the last event seen, the state last told, and whether it is being followed. */
  const plans = new Map<string, { cursor?: number; status?: PlanStatus; followed: boolean }>();
  let baseline = true;

  function hint(planId: string): void {
    const plan = plans.get(planId) ?? { followed: false };
    plans.set(planId, plan);
    if (plan.followed) return;
    plan.followed = true;
    void followOne(planId, plan)
      .catch(() => {})
      .finally(() => {
        plan.followed = false;
      });
  }

  /** Until its run ends; what cannot be read now is found again by the list. */
  async function followOne(planId: string, plan: { cursor?: number; status?: PlanStatus }): Promise<void> {
    const { watched, release } = sources.watch(planId);
    try {
      watched.hint();
      plan.cursor ??= await firstNew((request) => sources.read(planId, request), await watched.last(), since);
      const request = { after: plan.cursor, closed: false, casual: true, signal };
      for await (const pushed of follow(watched, () => sources.readView(planId), request)) {
        if (pushed.what === 'event') {
          plan.cursor = pushed.event.seq;
          one(planId, plan, pushed.event);
        } else if (pushed.what === 'resync') {
          plan.cursor = pushed.seq;
          one(planId, plan, { seq: pushed.view.seq, state: pushed.view.state, at: Date.parse(pushed.view.updated_at) });
        }
      }
    } finally {
      release();
    }
  }

  function one(plan_id: string, plan: { status?: PlanStatus }, event: Pick<PlanEvent, 'seq' | 'state' | 'at'>): void {
    if (!event.state || signal.aborted) return;
    plan.status = event.state.status;
    tell({ org_id, plan_id, state: event.state, seq: event.seq, at: event.at });
  }

  async function compare(): Promise<void> {
    const found = await sources.statuses().catch(() => undefined);
    if (!found) return;
    for (const { plan_id, status } of found) {
      const plan = plans.get(plan_id);
      if (baseline && !plan) plans.set(plan_id, { status, followed: false });
      else if (plan?.status !== status) {
        sources.nudge(plan_id);
        hint(plan_id);
      }
    }
    baseline = false;
  }

  async function compareOften(): Promise<void> {
    while (!signal.aborted) {
      await compare();
      await delay(sources.compareMs, undefined, { signal, ref: false }).catch(() => {});
    }
  }

  void compareOften();
  return { hint, end: () => ended.abort() };
}

/** The number before the first event that is not older than `since`. */
async function firstNew(read: (request: StoryRequest) => Promise<Story>, last: number, since: number): Promise<number> {
  for (let back = LOOK_BACK; ; back *= 4) {
    const after = Math.max(0, last - back);
    const { entries } = await read({ after });
    const old = entries.findLast((entry) => entry.type === 'gap' || entry.at < since);
    if (old || after === 0) return old?.seq ?? after;
  }
}
