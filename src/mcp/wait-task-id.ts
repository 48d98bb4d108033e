import { randomBytes } from 'node:crypto';
import { UNTIL, type Until } from './wait-for-plan.ts';

/** All that is known of a wait that goes on as a task. Nothing of it is kept: its id says it. */
export interface WaitTask {
  plan_id: string;
  /** The run that is waited for: when a next one has begun, it has ended. */
  run: number;
  until: Until;
  /** ms since the epoch. */
  created_at: number;
  /** When it is answered at the latest; null: whenever there is something to tell. */
  deadline_at: number | null;
}

const FORM = new RegExp(
  `^wait_([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})_(\\d{1,9})_(${UNTIL.join('|')})_([0-9a-z]{8,9})_([0-9a-z]{8,9}|never)_[\\w-]{11}$`,
);

/**
 * Who has an id can read no more by it than without: whether they may is asked at every call. So it is not sealed, and one
 * that somebody makes up is as good as one that a call was answered with.
 */
export function waitTaskId({ plan_id, run, until, created_at, deadline_at }: WaitTask): string {
  const time = (ms: number) => ms.toString(36).padStart(8, '0');
  const nonce = randomBytes(8).toString('base64url');
  return [
    'wait',
    plan_id,
    run,
    until,
    time(created_at),
    deadline_at === null ? 'never' : time(deadline_at),
    nonce,
  ].join('_');
}

/** What an id says; undefined of what is none. */
export function waitTaskOf(taskId: string): WaitTask | undefined {
  const [, plan_id, run, until, created, deadline] = FORM.exec(taskId) ?? [];
  if (plan_id === undefined) return undefined;
  const deadline_at = deadline === 'never' ? null : Number.parseInt(deadline!, 36);
  const created_at = Number.parseInt(created!, 36);
  return { plan_id, run: Number(run), until: until as Until, created_at, deadline_at };
}
