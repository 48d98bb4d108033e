import { setTimeout as delay } from 'node:timers/promises';
import type { Client } from '@temporalio/client';
import { workflowId } from '../../contract/names.ts';
import { asFault, type BlockedBy, Fault } from '../../faults.ts';
import { isTerminal } from '../../plan/lifecycle.ts';
import type { Caller, Permission } from '../caller.ts';
import { describePlan } from '../described.ts';
import { composePipeline } from '../pipelines/compose.ts';
import { readTemplates } from '../pipelines/templates.ts';
import type { PipelineFacts } from '../start-workflow.ts';
import { chatKey } from './chat-id.ts';
import { historyText, messagesOf } from './messages.ts';
import type { AgentsParts } from './parts.ts';

/** The plan of a pipeline. Throws CONFIG_INVALID: whoever gives something up for a fresh pipeline makes its plan first. */
export const pipelinePlan = async ({ settings }: AgentsParts): Promise<string> =>
  JSON.stringify(composePipeline(await readTemplates(settings)));

/** Starts a pipeline for a message; gives its id. Of several at once in a chat one is started, the others are PIPELINE_RUNNING. */
export async function startRun(
  parts: AgentsParts,
  caller: Caller,
  chat: PipelineFacts,
  message: string,
): Promise<string> {
  const { client, settings, place, create } = parts;
  const { chat_id, project_id } = chat;
  const [plan, said] = await Promise.all([pipelinePlan(parts), messagesOf(client, caller.principal.org_id, chat_id)]);
  const { buildCommand } = settings;
  const inputs = {
    message,
    chat_id,
    history: historyText(said),
    ...(buildCommand !== undefined && { build_command: buildCommand }),
  };
  const request = {
    plan,
    inputs,
    place,
    enrollment: { key: chatKey(chat_id), policy: 'multiple' },
    pipeline: chat,
    charged_to: { chat: chat_id, ...(project_id !== undefined && { project: project_id }) },
  } as const;
  try {
    const { plan_id } = await create(trusted(caller), request);
    return plan_id;
  } catch (error) {
    const fault = asFault(error);
    const { code, blocked_by: by } = fault;
    if (code !== 'ENROLLMENT_BLOCKED') throw fault;
    if (by && chat.request_id !== undefined && (await startedBy(client, caller, by)) === chat.request_id)
      return by.plan_id;
    throw pipelineRunning(chat_id, by);
  }
}

/** The message that started a pipeline, by its id: the same may have been sent twice at once. */
async function startedBy(client: Client, caller: Caller, { plan_id }: BlockedBy): Promise<string | undefined> {
  const { facts } = await describePlan(client, workflowId(caller.principal.org_id, plan_id), plan_id);
  return facts.pipeline?.request_id;
}

/** The templates are the operator's: whoever may start plans may start these, whatever their tasks do. */
const TEMPLATE_PERMISSIONS: readonly Permission[] = ['plan:run_commands'];
const trusted = (caller: Caller): Caller => ({
  ...caller,
  permissions: caller.permissions.includes('plan:create')
    ? [...caller.permissions, ...TEMPLATE_PERMISSIONS]
    : caller.permissions,
});

export function pipelineRunning(chatId: string, blocked_by?: BlockedBy): Fault {
  const by = blocked_by ? ` (${blocked_by.plan_id})` : '';
  const asks = blocked_by?.state.status === 'awaiting_input';
  const message = asks
    ? `a pipeline${by} of the chat "${chatId}" waits for an answer: answer its checkpoint, and send the message again when it has ended`
    : `a pipeline${by} of the chat "${chatId}" is at work; wait until it has ended, and send the message again`;
  return new Fault('PIPELINE_RUNNING', message, { ...(blocked_by && { blocked_by }) });
}

/** A stopped pipeline holds its chat until nothing of it runs any more. */
const ENDING_PATIENCE_MS = 10_000;
const ENDING_PAUSE_MS = 25;

/** Stops an interrupted pipeline for good; one that has ended already is left as it is. */
export async function dismissRun(
  { client, command }: AgentsParts,
  caller: Caller,
  planId: string,
  request_id?: string,
): Promise<void> {
  const stopping = { comment: 'dismissed', ...(request_id !== undefined && { request_id }) };
  await command(caller, planId, 'stop', stopping).catch((error: unknown) => {
    if (asFault(error).code !== 'PLAN_INVALID_STATE') throw error;
  });
  const end = Date.now() + ENDING_PATIENCE_MS;
  const id = workflowId(caller.principal.org_id, planId);
  for (;;) {
    const { open, status } = await describePlan(client, id, planId);
    if (!open || isTerminal(status)) return;
    if (Date.now() > end)
      throw new Fault('ENGINE_UNAVAILABLE', `pipeline ${planId} is being stopped and has not ended yet; try again`);
    await delay(ENDING_PAUSE_MS);
  }
}
