import { createHash } from 'node:crypto';
import type { ReadPlan } from '../service/read-plan.ts';

/**
 * Names what a plan's view shows. When it was read, and what only says that time goes by, is no part of it: a weak tag, for the
 * bodies under it may differ in that.
 */
function planTagOf({ freshness, ...plan }: ReadPlan): string {
  const { at: _, ...fresh } = freshness;
  const shown = JSON.stringify([plan, fresh], (key, value: unknown) => (key === 'silent_ms' ? undefined : value));
  return `W/"${createHash('sha256').update(shown).digest('base64url').slice(0, 27)}"`;
}

/** A plan as it is sent, made once for all that read it at the same time. */
export function answerOf(plan: ReadPlan): { tag: string; body: string } {
  const answer = answers.get(plan) ?? { tag: planTagOf(plan), body: JSON.stringify(plan) };
  answers.set(plan, answer);
  return answer;
}
const answers = new WeakMap<ReadPlan, { tag: string; body: string }>();
