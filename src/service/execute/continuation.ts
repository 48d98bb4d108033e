import { setTimeout as delay } from 'node:timers/promises';
import { asFault } from '../../faults.ts';
import type { SessionOperation } from '../../plan/execute-session.ts';
import type { Parsed } from '../../program/parse.ts';
import { type Caller, mustHave } from '../caller.ts';
import { type Answer, operationAnswer } from './answer.ts';
import { findOperation, findPage } from './handles.ts';
import type { Running } from './operate.ts';
import { pageAnswer } from './page.ts';
import type { SessionKey } from './session.ts';
import { type PagePlace, shownOf } from './shown.ts';
import { type OperationStanding, standingOf } from './standing.ts';

type Continuation = Extract<Parsed, { kind: 'continuation' }>;

const MOST_TOLD = 20_000;

/** Goes on with something that the session has a handle of. */
export async function continuation(
  running: Running,
  caller: Caller,
  key: SessionKey,
  { verb, handle, project }: Continuation,
): Promise<Answer> {
  switch (verb) {
    case 'wait':
      return await waitFor(running, caller, key, handle);
    case 'cancel':
      return await cancel(running, caller, key, handle);
    case 'page': {
      const { place } = await findPage(running.sessions, key, handle);
      return await pageAnswer(running, caller, key, place as unknown as PagePlace, project);
    }
  }
}

/** How an operation stands: at once, as often as anybody likes. */
export async function waitFor(running: Running, caller: Caller, key: SessionKey, handle: string): Promise<Answer> {
  mustHave(caller, 'plan:read');
  const operation = await findOperation(running.sessions, key, handle);
  return await answerOf(running, caller, key, handle, operation);
}

async function answerOf(
  running: Running,
  caller: Caller,
  key: SessionKey,
  handle: string,
  operation: SessionOperation,
): Promise<Answer> {
  const { parts, sessions, told } = running;
  const { plan_id, commit_id } = operation;
  const standing = await standingOf(parts, caller, operation, handle);
  const { now, results, phase } = standing;
  if (phase === 'running') {
    const isNew = now.n > (told.get(plan_id) ?? 0);
    if (told.size > MOST_TOLD) told.clear();
    told.set(plan_id, Math.max(now.n, told.get(plan_id) ?? 0));
    const line = { n: now.n, parts: { ...now.parts, is: isNew ? 'running' : 'unchanged' } as typeof now.parts };
    return operationAnswer(handle, line, undefined, { plan_id });
  }
  const goesOn = phase === 'succeeded';
  const shown = await shownOf(parts, sessions, key, { plan_id, results, goesOn });
  return operationAnswer(handle, now, shown, { commit_id, plan_id });
}

/** How long whoever cancels waits for what was kept. */
const CANCEL_MS = 1_000;
const LOOK_MS = 40;

/** Lets no more be read, and keeps what was. What has ended stays as it is. */
export async function cancel(running: Running, caller: Caller, key: SessionKey, handle: string): Promise<Answer> {
  mustHave(caller, 'plan:approve');
  const { parts, sessions } = running;
  const operation = await findOperation(sessions, key, handle);
  const end = Date.now() + CANCEL_MS;
  const stand = (): Promise<OperationStanding> => standingOf(parts, caller, operation, handle);
  for (let told = false, now = await stand(); now.phase === 'running' && Date.now() < end; now = await stand()) {
    if (!told) told = await stop(running, caller, operation.plan_id);
    await delay(LOOK_MS);
  }
  return await answerOf(running, caller, key, handle, operation);
}

/** False while there is nothing to stop: its plan is about to start. */
async function stop({ parts }: Running, caller: Caller, planId: string): Promise<boolean> {
  try {
    await parts.command(caller, planId, 'stop');
  } catch (error) {
    const { code } = asFault(error);
    if (code === 'PLAN_NOT_FOUND') return false;
    // It has ended by itself, or is being stopped already.
    if (code !== 'PLAN_INVALID_STATE') throw error;
  }
  await parts.stores.rows.halt(planId);
  return true;
}
