import type { TaskView } from '../plan/view.ts';
import { isTime, type Liveness } from './pending.ts';

/** When a plan's tasks last called a model, in ISO 8601; null where none did. What runs tells it by heartbeats, what has ended by what it left. */
export function lastLlmCall(tasks: readonly (TaskView & Liveness)[]): string | null {
  const times = tasks.flatMap(({ kind, outputs, error, last_llm_call_at }) => {
    if (last_llm_call_at !== undefined) return [Date.parse(last_llm_call_at)];
    if (kind !== 'llm') return [];
    const { usage } = (outputs ?? {}) as { usage?: unknown };
    return [lastCallIn(usage), lastCallIn(error?.details)].filter((at) => at !== undefined);
  });
  return times.length > 0 ? new Date(times.reduce((a, b) => Math.max(a, b))).toISOString() : null;
}

function lastCallIn(left: unknown): number | undefined {
  const at = (left as { last_call_at?: unknown } | null | undefined)?.last_call_at;
  return isTime(at) ? at : undefined;
}
