import { setTimeout as delay } from 'node:timers/promises';
import { asFault, Fault } from '../faults.ts';
import type { PlanEvent } from '../plan/events.ts';
import { isTerminal, type PlanStateView } from '../plan/lifecycle.ts';
import { type PlanError, TASK_STATUSES, type Totals } from '../plan/state.ts';
import type { ReadPlan } from '../service/read-plan.ts';
import type { Link } from './stay-connected.ts';

/** How a run of a plan ended. */
export interface Ending {
  state: PlanStateView;
  error: PlanError | null;
  totals: Totals;
  took_ms: number;
}

export interface Following {
  link: Link;
  planId: string;
  /** Whether an event can be shown only together with the plan's view, which is then read once for its batch. */
  needsView(event: PlanEvent): boolean;
  show(event: PlanEvent, view: ReadPlan | undefined): void;
  /** Whether the plan's view is wanted now, whatever has happened, given what has just been read. */
  wantsView?(events: PlanEvent[]): boolean;
  seen?(view: ReadPlan): void;
  /** Events up to this one, of earlier runs, are left out. */
  after?: number;
  /** The first events after that, where they have been read: of a long plan that takes seconds. */
  known?: PlanEvent[];
  /** The shortest pause between two looks. */
  quickestMs?: number;
  signal: AbortSignal;
}

const QUICKEST_MS = 120;
const SLOWEST_MS = 500;
/** A plan that was ended from outside writes no more events; its view tells. */
const DOUBT_MS = 5_000;

/** Shows a plan's events in order and without gaps, as they come, until one ends its run. Gives undefined when aborted. */
export async function followPlan(following: Following): Promise<Ending | undefined> {
  const { link, planId, needsView, show, wantsView, seen, after = 0, quickestMs = QUICKEST_MS, signal } = following;
  let { known } = following;
  let first: PlanEvent | undefined;
  let last: PlanEvent | undefined;
  let pause = quickestMs;
  for (let quietMs = 0; ; quietMs += pause) {
    const { events, view } = await link.ask(async ({ service, caller }) => {
      const events =
        known ?? (await service.events(caller, planId, last?.seq ?? after).catch(last ? notItsServer : refused));
      const isWanted = wantsView?.(events) ?? false;
      return { events, view: isWanted || events.some(needsView) ? await service.read(caller, planId) : undefined };
    });
    known = undefined;
    if (signal.aborted) return undefined;
    if (view) seen?.(view);
    for (const event of events) {
      first ??= event;
      last = event;
      show(event, view);
      const ending = endingOf(event, first);
      if (ending) return ending;
    }
    const outside = view && endedOutside(view);
    if (outside) return outside;
    if (events.length > 0) quietMs = 0;
    if (quietMs >= DOUBT_MS) {
      const ending = endedOutside(await link.ask(({ service, caller }) => service.read(caller, planId)));
      if (ending) return ending;
      quietMs = 0;
    }
    pause = events.length > 0 ? quickestMs : Math.min(SLOWEST_MS, pause * 1.25);
    await delay(pause);
  }
}

const refused = (error: unknown): never => {
  throw error;
};

/** A plan that was there is not gone: the engine's server has ended, and another home's has taken its port. */
const notItsServer = (error: unknown): never => {
  const { code } = asFault(error);
  if (code !== 'PLAN_NOT_FOUND') throw error;
  throw new Fault('ENGINE_UNAVAILABLE', 'another server answers at the address of the one that has the plan');
};

/** The last event of a run has its state, error and totals. */
function endingOf({ state, error, totals, at }: PlanEvent, first: PlanEvent): Ending | undefined {
  if (!state || !totals || !isTerminal(state.status)) return undefined;
  return { state, error: error ?? null, totals, took_ms: at - first.at };
}

function endedOutside({ state, error, tasks, created_at, updated_at }: ReadPlan): Ending | undefined {
  if (!isTerminal(state.status) || error?.code !== 'ENDED_OUTSIDE') return undefined;
  const totals = Object.fromEntries(
    TASK_STATUSES.map((status) => [status, tasks.filter((task) => task.status === status).length]),
  );
  return { state, error, totals: totals as Totals, took_ms: Date.parse(updated_at) - Date.parse(created_at) };
}
