import type { PlanRef } from '../contract/hints.ts';
import type { PlanStatus } from '../plan/lifecycle.ts';
import type { Bus } from './bus.ts';
import { type FollowRequest, follow, isAfterword, type Pushed } from './hub/follow.ts';
import { type StateChange, watchOrganisation } from './hub/organisation.ts';
import { type WatchedPlan, watchPlan } from './hub/watched-plan.ts';
import type { ReadPlan } from './read-plan.ts';
import type { Story, StoryRequest } from './story.ts';

/** What the hub reads; it knows nothing by itself. */
export interface HubSources {
  story(plan: PlanRef, request: StoryRequest): Promise<Story>;
  view(plan: PlanRef): Promise<ReadPlan>;
  statuses(orgId: string): Promise<{ plan_id: string; status: PlanStatus }[]>;
}

/**
 * Where everything that is pushed comes from. The bus only hints; what is sent is always read from the plan, by its
 * numbers: so nothing is sent twice, left out, or told before it is so.
 */
export interface Hub {
  /** Whether all of a plan that has ended was told with the event of a number. Throws what reading throws. */
  isTold(plan: PlanRef, after: number): Promise<boolean>;
  follow(plan: PlanRef, request: FollowRequest): AsyncGenerator<Pushed>;
  /** Every change of state of the organisation's plans from now on; gives what ends it. */
  subscribe(orgId: string, listener: (change: StateChange) => void): () => void;
}

interface Timing {
  quietMs: number;
  compareMs: number;
}
/** Who asks whether there is more is not held up for long. */
const READ_MS = 2_000;
/** Where nothing hints, as in a process beside the engine, reading is the only way to hear of anything. */
const TIMING = {
  hinted: { quietMs: 5_000, compareMs: 3_000 },
  unhinted: { quietMs: 1_000, compareMs: 3_000 },
} as const satisfies Record<string, Timing>;

export function createHub(
  sources: HubSources,
  bus: Bus | undefined,
  { quietMs, compareMs }: Timing = bus ? TIMING.hinted : TIMING.unhinted,
): Hub {
  const plans = new Map<string, { watched: WatchedPlan; users: number }>();
  const organisations = new Map<string, Organisation>();
  interface Organisation {
    listeners: Set<(change: StateChange) => void>;
    watching: ReturnType<typeof watchOrganisation>;
  }

  bus?.subscribe((plan) => {
    plans.get(keyOf(plan))?.watched.hint();
    organisations.get(plan.org_id)?.watching.hint(plan.plan_id);
  });

  /** One reader for all that follow a plan, for as long as somebody does. */
  function watch(plan: PlanRef) {
    const key = keyOf(plan);
    const read = (request: StoryRequest) => sources.story(plan, request);
    const shared = plans.get(key) ?? { watched: watchPlan({ read, quietMs }), users: 0 };
    plans.set(key, shared);
    shared.users += 1;
    return {
      watched: shared.watched,
      release() {
        shared.users -= 1;
        if (shared.users > 0) return;
        shared.watched.end();
        plans.delete(key);
      },
    };
  }

  function watchAll(org_id: string): Organisation {
    const listeners: Organisation['listeners'] = new Set();
    const of = (plan_id: string): PlanRef => ({ org_id, plan_id });
    const watching = watchOrganisation(
      org_id,
      {
        watch: (id) => watch(of(id)),
        nudge: (id) => plans.get(keyOf(of(id)))?.watched.hint(),
        read: (id, request) => sources.story(of(id), request),
        readView: (id) => sources.view(of(id)),
        statuses: () => sources.statuses(org_id),
        compareMs,
      },
      (change) => {
        for (const listener of listeners) listener(change);
      },
    );
    return { listeners, watching };
  }

  return {
    async isTold(plan, after) {
      const { watched, release } = watch(plan);
      try {
        const last = await watched.last(true);
        if (after >= last) return after === last;
        const news = await watched.after(after, {}, AbortSignal.timeout(READ_MS));
        return news.what === 'entries' && isAfterword(news);
      } finally {
        release();
      }
    },

    async *follow(plan, request) {
      const { watched, release } = watch(plan);
      try {
        yield* follow(watched, () => sources.view(plan), request);
      } finally {
        release();
      }
    },

    subscribe(orgId, listener) {
      const organisation = organisations.get(orgId) ?? watchAll(orgId);
      organisations.set(orgId, organisation);
      const mine = (change: StateChange) => listener(change);
      organisation.listeners.add(mine);
      return () => {
        if (!organisation.listeners.delete(mine) || organisation.listeners.size > 0) return;
        organisation.watching.end();
        organisations.delete(orgId);
      };
    },
  };
}

const keyOf = ({ org_id, plan_id }: PlanRef): string => JSON.stringify([org_id, plan_id]);
