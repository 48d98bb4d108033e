import { Fault } from '../../faults.ts';
import type { Caller } from '../caller.ts';
import { type Answer, acceptedAnswer, rowsAnswer } from './answer.ts';
import { awaitEnd } from './await-end.ts';
import type { Catalogs } from './catalogs.ts';
import { handleOf } from './handles.ts';
import { type Operation, startOperation } from './operation.ts';
import type { ExecuteParts } from './parts.ts';
import { keptOf } from './results.ts';
import type { SessionKey, Sessions } from './session.ts';
import { shownOf } from './shown.ts';
import { standingOf } from './standing.ts';

/** What running programs needs besides. */
export interface Running {
  parts: ExecuteParts;
  catalogs: Catalogs;
  sessions: Sessions;
  /** By plan: the number of the last line of it that somebody who asked was told. */
  told: Map<string, number>;
}

interface How {
  token?: string | undefined;
  request_id?: string | undefined;
  auto?: boolean;
}

/** The handle first: whatever runs then has one, and two hundred at once have theirs before their plans keep the worker busy. */
export async function inBackground(
  running: Running,
  caller: Caller,
  key: SessionKey,
  operation: Operation,
  how: How,
): Promise<Answer> {
  const answer = await accepted(running, key, operation, how);
  await startOperation(running.parts, caller, operation);
  return answer;
}

async function accepted(
  { sessions, told }: Running,
  key: SessionKey,
  { plan_id, facts, program }: Operation,
  { token, auto, request_id }: How,
): Promise<Answer> {
  const { commit_id, verdict } = facts;
  const n = await sessions.accept(key, {
    // Without one of the caller's, the plan's own id tells it from all others.
    request_id: request_id ?? plan_id,
    ...{ plan_id, commit_id, verdict, program },
    ...(token !== undefined && { commit_ref: token }),
    ...(auto && { auto }),
  });
  const handle = handleOf(key.surface, 'operations', n);
  told.set(plan_id, 1);
  return acceptedAnswer({ handle, commit_id, verdict, plan_id, token, ...(auto && { auto }) });
}

/** Its rows, as soon as it has them; what takes long goes on in the background. Throws OPERATION_FAILED. */
export async function inForeground(
  running: Running,
  caller: Caller,
  key: SessionKey,
  operation: Operation,
  how: How,
): Promise<Answer> {
  const { parts, sessions } = running;
  const { plan_id, facts } = operation;
  await startOperation(parts, caller, operation);
  const ended = await awaitEnd(parts.connected, key.org_id, plan_id, parts.settings.patienceMs);
  if (ended === undefined) return await accepted(running, key, operation, { ...how, auto: true });
  if (ended === 'otherwise') throw await failureOf(parts, caller, operation);
  const { results } = await keptOf(parts, caller, plan_id, facts);
  const shown = await shownOf(parts, sessions, key, { plan_id, results, goesOn: true });
  return rowsAnswer(shown, { commit_id: facts.commit_id, dry_verdict: facts.verdict, plan_id });
}

async function failureOf(parts: ExecuteParts, caller: Caller, { plan_id }: Operation): Promise<Fault> {
  const { now } = await standingOf(parts, caller, { plan_id, at: Date.now() }, plan_id);
  const why = now.parts.is === 'failed' ? now.parts.message || 'it failed' : 'somebody stopped it';
  return new Fault('OPERATION_FAILED', `the program failed: ${why} (plan ${plan_id})`);
}
