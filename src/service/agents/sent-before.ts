import { createHash } from 'node:crypto';
import { workflowId } from '../../contract/names.ts';
import { asFault, Fault } from '../../faults.ts';
import type { Caller } from '../caller.ts';
import { commandSent } from '../command-sent.ts';
import type { ReadPlan } from '../read-plan.ts';
import type { PipelineFacts } from '../start-workflow.ts';
import { chatKey } from './chat-id.ts';
import { messagesOf } from './messages.ts';
import { earlierRuns, type NewestRun } from './newest-run.ts';
import type { AgentsParts } from './parts.ts';
import { reading } from './reading.ts';
import type { SendRequest, Sent } from './send.ts';

/** A message by its id, which its sender has chosen, or was given. */
export type Named = SendRequest & { request_id: string };

/**
 * What became of the same message when it was sent before: whoever was not answered, as by a kill, sends it again. `let go`: a run
 * was given up for it, and no fresh one started yet. Throws REQUEST_INVALID when another message had the id.
 */
export async function sentBefore(
  parts: AgentsParts,
  caller: Caller,
  request: Named,
  newest: NewestRun,
  before: ReadPlan,
): Promise<Sent | 'let go' | undefined> {
  const { plan_id, found } = newest;
  const { chatId, request_id, message, keep } = request;
  const { org_id } = caller.principal;
  const kept = keep && (await messagesOf(parts.client, org_id, chatId)).find(({ id }) => id === request_id);
  if (kept && kept.content !== message) throw usedBefore(request_id);
  if (isStartedBy(found.facts.pipeline, request)) return { status: 'started', chatId, pipelineRunId: plan_id };
  if (await wasTold(parts, caller, plan_id, request_id)) return { status: 'resumed', chatId, pipelineRunId: plan_id };
  if (before.state.status === 'stopped' && (await wasTold(parts, caller, plan_id, lettingGo(request_id))))
    return 'let go';
  const runs = await earlierRuns(parts.client, org_id, chatKey(chatId), newest);
  const started = runs.find(({ pipeline }) => isStartedBy(pipeline, request));
  if (started) return { status: 'started', chatId, pipelineRunId: started.plan_id };
  // It was said, and has started none: then it let one go on.
  for (const run of kept ? runs.slice(0, MOST_RESUMED) : [])
    if (await commandSent(parts.client, workflowId(org_id, run.plan_id), request_id))
      return { status: 'resumed', chatId, pipelineRunId: run.plan_id };
  return undefined;
}
/** Each is a look through a history. */
const MOST_RESUMED = 10;

/** The command that dismisses what is started afresh, by the message that does so. */
export const lettingGo = (requestId: string): string => `afresh ${requestId}`;

export const noAnswer = () => new Fault('ENGINE_UNAVAILABLE', 'no worker answers for the newest pipeline of the chat');

async function wasTold({ outcome }: AgentsParts, caller: Caller, planId: string, requestId: string): Promise<boolean> {
  const told = await outcome(reading(caller), planId, requestId).catch((error: unknown) => {
    // What was refused then is decided on again.
    if (['ENGINE_UNAVAILABLE', 'INTERNAL'].includes(asFault(error).code)) throw error;
    return undefined;
  });
  if (told?.result === 'pending') throw noAnswer();
  return told !== undefined;
}

function isStartedBy(pipeline: PipelineFacts | undefined, { request_id, message }: Named): boolean {
  if (pipeline?.request_id !== request_id) return false;
  if (pipeline.said !== undefined && pipeline.said !== hashOf(message)) throw usedBefore(request_id);
  return true;
}

export const hashOf = (message: string): string =>
  createHash('sha256').update(message).digest('base64url').slice(0, 16);

const usedBefore = (requestId: string): Fault =>
  new Fault(
    'REQUEST_INVALID',
    `request_id: "${requestId.slice(0, 200)}" was used for another message of this chat; take a new one`,
  );
