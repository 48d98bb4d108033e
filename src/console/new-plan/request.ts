import { call, requestId } from '../api/client.ts';
import type { Created, DryRun, Me } from '../api/types.ts';
import type { Draft } from './draft.ts';
import type { Validation } from './use-validation.ts';

/** What is asked for: what is left as it is stays out. */
export function requestOf(draft: Draft, given: Record<string, unknown>): Record<string, unknown> {
  const { text, review, startAt, enrollmentKey: key, enrollmentPolicy: policy } = draft;
  return {
    plan: text,
    ...(Object.keys(given).length > 0 && { inputs: given }),
    ...(review && { review: 'required' }),
    ...(startAt !== '' && { start_at: new Date(startAt).toISOString() }),
    ...(key.trim() !== '' && { enrollment: { key: key.trim(), policy } }),
  };
}

/** The key by which a request is sent: its own, for as long as it is the same one. */
export function keyFor(request: string, sent: Draft['sent']): NonNullable<Draft['sent']> {
  return sent?.request === request ? sent : { request, key: requestId() };
}

/** Starts a plan, once for all that ask with the same key. An enrollment says itself what is the same plan. */
export async function createPlan({ request, key }: NonNullable<Draft['sent']>): Promise<Created> {
  const isEnrolled = 'enrollment' in (JSON.parse(request) as object);
  const idempotencyKey = isEnrolled ? undefined : key;
  return await call<Created>('POST', 'api/plans', { body: request, type: 'application/json', idempotencyKey });
}

interface Standing {
  draft: Draft;
  me: Me | undefined;
  validation: Validation & { isCurrent: boolean };
  fileProblems: number;
  /** Their names. */
  wrongInputs: readonly string[];
}

/** Why a plan cannot be started now. */
export function refusalOf({ draft, me, validation, fileProblems, wrongInputs }: Standing): string | undefined {
  if (me && !mayDo(me, 'plan:create')) return 'You do not have the permission plan:create.';
  if (draft.text.trim() === '') return 'There is no plan file yet.';
  if (wrongInputs.length > 0) return `Missing or wrong: ${wrongInputs.join(', ')}.`;
  if (!validation.isCurrent) return 'The file is being checked.';
  if (validation.error) return validation.error.message;
  if (fileProblems > 0) return 'The file has problems.';
  const lacking = me && validation.dryRun?.permissions.filter((permission) => !mayDo(me, permission));
  if (lacking && lacking.length > 0) return `You do not have the permission ${lacking.join(', ')}.`;
  if (draft.startAt !== '' && Number.isNaN(Date.parse(draft.startAt))) return 'The start time is no time.';
  return undefined;
}

export const mayDo = ({ permissions }: Me, needed: DryRun['permissions'][number]): boolean =>
  (permissions as readonly string[]).includes(needed) || permissions.includes('admin');
