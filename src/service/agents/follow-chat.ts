import { setTimeout as delay } from 'node:timers/promises';
import { type Caller, mustHave } from '../caller.ts';
import { enrollmentId } from '../ids.ts';
import type { ReadPlan } from '../read-plan.ts';
import { chatKey } from './chat-id.ts';
import { limitWarnings } from './limit-warnings.ts';
import { idAfter, type NewestRun, newestRun } from './newest-run.ts';
import type { AgentsParts } from './parts.ts';
import { eventsFor, type PipelineEvent, standingEvents } from './pipeline-events.ts';

/**
 * What happens in a chat: how its newest run stands, then that as it goes on, then the runs after it. Whoever comes (again) is
 * told first how it stands, so nothing is missed by having been away.
 */
export async function* followChat(
  parts: AgentsParts,
  caller: Caller,
  chatId: string,
  signal: AbortSignal,
): AsyncGenerator<PipelineEvent, void> {
  mustHave(caller, 'plan:read');
  const key = chatKey(chatId);
  const { org_id } = caller.principal;
  const warn = warner(parts, caller);
  for (let told: string | undefined; !signal.aborted; ) {
    const newest = await newestRun(parts.client, org_id, key);
    if (newest && newest.plan_id !== told) {
      told = newest.plan_id;
      const { project_id: project } = newest.found.facts.pipeline ?? {};
      const seen = { chat: chatId, ...(project !== undefined && { project }) };
      for await (const one of followRun(parts, caller, newest.plan_id, signal))
        for (const { type, payload } of [one, ...(isSpending(one) ? await warn(seen) : [])])
          yield { type, payload: { chatId, pipelineRunId: newest.plan_id, ...payload } };
    } else await nextRun(parts, caller, key, newest, signal);
  }
}

/** Moments at which a limit may have come near. */
const isSpending = ({ type, payload: { status } }: PipelineEvent): boolean =>
  type === 'agent_status' && ['completed', 'failed', 'retrying'].includes(String(status));

/** Each follower is warned once of a limit, and again when it was changed. */
function warner({ ledger }: AgentsParts, caller: Caller) {
  const told = new Set<string>();
  return async (seen: { chat: string; project?: string }): Promise<PipelineEvent[]> => {
    const view = await ledger(caller, seen).catch(() => undefined);
    const warnings = view ? limitWarnings(view) : [];
    return warnings.filter(({ payload }) => {
      const which = `${payload.limit} ${payload.max}`;
      return !told.has(which) && told.add(which);
    });
  };
}

async function* followRun(
  { read, follow }: AgentsParts,
  caller: Caller,
  planId: string,
  signal: AbortSignal,
): AsyncGenerator<PipelineEvent, void> {
  const view = await read(caller, planId);
  yield* standingEvents(view);
  const { over, pushed } = await follow(caller, planId, view.seq);
  if (over) return;
  for await (const one of pushed(signal)) {
    if (one.what === 'event')
      yield* await eventsFor(
        one.event,
        once(() => read(caller, planId)),
      );
    else if (one.what !== 'last_known') yield* standingEvents(one.view);
  }
}

/** One view for all that an event needs of it. */
function once(read: () => Promise<ReadPlan>): () => Promise<ReadPlan> {
  let reading: Promise<ReadPlan> | undefined;
  return () => (reading ??= read());
}

/** A run that another engine starts is not hinted of here. */
const LOOK_MS = 3_000;

async function nextRun(
  { subscribe }: AgentsParts,
  caller: Caller,
  key: string,
  newest: NewestRun | undefined,
  signal: AbortSignal,
): Promise<void> {
  const { org_id } = caller.principal;
  const next = newest ? idAfter(org_id, key, newest) : enrollmentId(org_id, key, 1);
  const woken = new AbortController();
  // The run that is there may go on, too: a plan that failed can be resumed as such.
  const unsubscribe = subscribe(caller, ({ plan_id }) => plan_id === next && woken.abort());
  await delay(LOOK_MS, undefined, { signal: AbortSignal.any([signal, woken.signal]) }).catch(() => {});
  unsubscribe();
}
