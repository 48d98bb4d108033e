import { setTimeout as delay } from 'node:timers/promises';
import { WorkflowNotFoundError } from '@temporalio/client';
import { v4 as uuidv4 } from 'uuid';
import { workflowId } from '../../contract/names.ts';
import type { CommandInput } from '../../contract/payloads.ts';
import { asFault, Fault } from '../../faults.ts';
import type { SessionOperation } from '../../plan/execute-session.ts';
import { isTerminal } from '../../plan/lifecycle.ts';
import type { Parsed } from '../../program/parse.ts';
import { type Caller, mayDo, mustHave } from '../caller.ts';
import { describePlan } from '../described.ts';
import { type Answer, operationAnswer, runningAnswer } from './answer.ts';
import { findOperation, findPage } from './handles.ts';
import type { Running } from './operate.ts';
import { pageAnswer } from './page.ts';
import type { SessionKey } from './session.ts';
import { type PagePlace, shownOf } from './shown.ts';
import { standingOf } from './standing.ts';

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
  { cancelling = false } = {},
): Promise<Answer> {
  const { parts, sessions, told } = running;
  const { plan_id, commit_id } = operation;
  const standing = await standingOf(parts, caller, operation, handle);
  const { now, results, phase, calls, waits } = standing;
  const mayRead = mayDo(caller, 'plan:read');
  const meta = { plan_id, ...(calls !== undefined && { calls }) };
  if (phase === 'running') {
    const isNew = now.n > (told.get(plan_id) ?? 0);
    if (told.size > MOST_TOLD) told.clear();
    told.set(plan_id, Math.max(now.n, told.get(plan_id) ?? 0));
    const line = { n: now.n, parts: { ...now.parts, is: isNew ? 'running' : 'unchanged' } as typeof now.parts };
    return runningAnswer(handle, line, { ...meta, waiting_for: mayRead ? waits : [], cancelling });
  }
  // Whoever may cancel, and nothing else, is told how it stands.
  if (!mayRead) return operationAnswer(handle, now, undefined, { plan_id });
  const goesOn = phase === 'succeeded';
  const shown = await shownOf(parts, sessions, key, { plan_id, results, goesOn });
  return operationAnswer(handle, now, shown, { commit_id, ...meta });
}

/** How long whoever cancels waits for what was kept. */
const CANCEL_MS = 1_000;
const LOOK_MS = 25;

/** Lets no more be read, and keeps what was. What has ended stays as it is. */
export async function cancel(running: Running, caller: Caller, key: SessionKey, handle: string): Promise<Answer> {
  mustHave(caller, 'plan:approve');
  const { client } = running.parts;
  const operation = await findOperation(running.sessions, key, handle);
  const { plan_id } = operation;
  const id = workflowId(key.org_id, plan_id);
  let stopped = await stop(running, caller, id, plan_id);
  for (const end = Date.now() + CANCEL_MS; Date.now() < end; await delay(LOOK_MS)) {
    const found = await describePlan(client, id, plan_id).catch(unlessThere);
    if (found && isTerminal(found.status)) break;
    // One that is about to start takes it as soon as it has.
    if (found && !stopped) stopped = await stop(running, caller, id, plan_id);
  }
  return await answerOf(running, caller, key, handle, operation, { cancelling: true });
}

/** The signal first: reads that end then are not made again. False where there is nothing to stop (yet). */
async function stop({ parts }: Running, { principal }: Caller, id: string, planId: string): Promise<boolean> {
  const input: CommandInput = { schema_version: 1, request_id: uuidv4(), actor: principal, at: Date.now() };
  try {
    await parts.client.workflow.getHandle(id).signal<[CommandInput]>('stop', input);
  } catch (error) {
    if (error instanceof WorkflowNotFoundError) return false;
    throw new Fault('ENGINE_UNAVAILABLE', `Temporal did not take it: ${(error as Error).message}`, { cause: error });
  }
  await parts.stores.rows.halt(planId);
  return true;
}

function unlessThere(error: unknown): undefined {
  if (asFault(error).code !== 'PLAN_NOT_FOUND') throw error;
}
