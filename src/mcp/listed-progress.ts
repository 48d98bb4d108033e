import { setTimeout as delay } from 'node:timers/promises';
import type { Caller } from '../service/caller.ts';
import type { PlanSummary } from '../service/list-plans.ts';
import type { PlanService } from '../service/service.ts';

/** A list is to come at once: what a plan has not told by then is left out. */
const WAIT_MS = 1_500;
const AT_ONCE = 10;

/** How far each of the listed plans is, in per cent, as it says itself; null where it has not answered in time. */
export async function progressOf(
  service: PlanService,
  caller: Caller,
  plans: PlanSummary[],
): Promise<Map<string, number | null>> {
  const found = new Map<string, number | null>(
    plans.map(({ plan_id, state }) => [plan_id, state.status === 'completed' ? 100 : null]),
  );
  const rest = plans.filter(({ state }) => state.status !== 'completed').map(({ plan_id }) => plan_id);
  const over = new AbortController();
  const readers = Array.from({ length: AT_ONCE }, async () => {
    for (let id = rest.shift(); id !== undefined && !over.signal.aborted; id = rest.shift()) {
      const view = await service.read(caller, id).catch(() => undefined);
      if (view) found.set(id, view.progress_percentage);
    }
  });
  await Promise.race([Promise.all(readers), delay(WAIT_MS, undefined, { signal: over.signal }).catch(() => {})]);
  over.abort();
  return new Map(found);
}
