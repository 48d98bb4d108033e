import { v4 as uuidv4 } from 'uuid';
import { asFault, Fault } from '../../faults.ts';
import { type Caller, mustHave } from '../caller.ts';
import type { ReadPlan } from '../read-plan.ts';
import type { PipelineFacts } from '../start-workflow.ts';
import { answerOfRun } from './answer-of-run.ts';
import { chatKey } from './chat-id.ts';
import { findRun } from './find-run.ts';
import { keepMessage } from './messages.ts';
import { newestRun } from './newest-run.ts';
import type { AgentsParts } from './parts.ts';
import { isAtWork, isInterrupted, mayResume } from './pipeline-run.ts';
import { reading } from './reading.ts';
import { hashOf, lettingGo, type Named, noAnswer, sentBefore } from './sent-before.ts';
import { dismissRun, pipelinePlan, pipelineRunning, startRun } from './start-run.ts';

export interface SendRequest {
  chatId: string;
  message: string;
  /** Whether only an interrupted pipeline is to go on; a message resumes one in any case (document 3's auto-resume). */
  resume?: boolean | undefined;
  /** Cost limits can be set for each project. */
  projectId?: string | undefined;
  /** Whether the message is kept among those of the chat. */
  keep: boolean;
  /** Chosen by the caller: the same again is the same message, and resumes once. */
  request_id?: string | undefined;
}

export interface Sent {
  status: 'started' | 'resumed';
  chatId: string;
  pipelineRunId: string;
}

/** Takes a message of a chat: its interrupted pipeline goes on, before anything is classified; else a fresh one is started. */
export async function sendMessage(parts: AgentsParts, caller: Caller, request: SendRequest): Promise<Sent> {
  mustHave(caller, 'plan:create');
  const { chatId, message, keep, request_id = uuidv4() } = request;
  const isNamed = request.request_id !== undefined;
  const key = chatKey(chatId);
  mustSaySomething(request);
  const { org_id } = caller.principal;
  const at = Date.now();
  const newest = await newestRun(parts.client, org_id, key);
  const named = { ...request, request_id };
  const before = newest && (await parts.read(reading(caller), newest.plan_id));
  const told = isNamed && newest && before && (await sentBefore(parts, caller, named, newest, before));
  const sent =
    told === 'let go' ? await afresh(parts, caller, named, before!) : told || (await act(parts, caller, named, before));
  if (keep && message.trim() !== '')
    await keepMessage(parts.client, org_id, chatId, { id: request_id, role: 'user', content: message, at });
  return sent;
}

async function act(parts: AgentsParts, caller: Caller, request: Named, before: ReadPlan | undefined): Promise<Sent> {
  const { chatId, message } = request;
  if (before && isInterrupted(before)) {
    if (!before.freshness.live) throw noAnswer();
    if (mayResume(before)) return await resume(parts, caller, request, before);
    await Promise.all([parts.mayGoOn(caller, before), pipelinePlan(parts)]);
    await dismissRun(parts, caller, before.plan_id, lettingGo(request.request_id));
    return await afresh(parts, caller, request, before);
  }
  if (before && isAtWork(before))
    throw pipelineRunning(chatId, { plan_id: before.plan_id, state: { status: before.state.status } });
  if (before) await keepAnswer(parts, caller, chatId, before);
  if (message.trim() === '')
    throw new Fault('REQUEST_INVALID', 'message: is empty, and the chat has no interrupted pipeline that could go on');
  return { status: 'started', chatId, pipelineRunId: await startRun(parts, caller, chatOf(request), message) };
}

const chatOf = ({ chatId, projectId, request_id, message }: Named): PipelineFacts => ({
  chat_id: chatId,
  ...(projectId !== undefined && { project_id: projectId }),
  request_id,
  said: hashOf(message),
});

/** In place of a run that was dismissed: for what was asked then, and is said now. */
async function afresh(parts: AgentsParts, caller: Caller, request: Named, { plan_id }: ReadPlan): Promise<Sent> {
  const [{ inputs }, { pipeline }] = await Promise.all([
    parts.givenInputs(reading(caller), plan_id),
    findRun(parts.client, caller, plan_id),
  ]);
  const message = joined(String(inputs.message ?? ''), request.message);
  const { projectId = pipeline.project_id } = request;
  const pipelineRunId = await startRun(parts, caller, chatOf({ ...request, projectId }), message);
  return { status: 'started', chatId: request.chatId, pipelineRunId };
}

async function resume(
  { command }: AgentsParts,
  caller: Caller,
  { chatId, request_id }: Named,
  { plan_id }: ReadPlan,
): Promise<Sent> {
  await command(caller, plan_id, 'resume', { request_id }).catch((error: unknown) => {
    // Somebody else was first, and it is at work again.
    if (asFault(error).code === 'PLAN_INVALID_STATE') throw pipelineRunning(chatId);
    throw error;
  });
  return { status: 'resumed', chatId, pipelineRunId: plan_id };
}

/** What a run said is told to the runs after it. */
export async function keepAnswer(parts: AgentsParts, caller: Caller, chatId: string, view: ReadPlan): Promise<void> {
  const answer = await answerOfRun(parts, reading(caller), view);
  if (answer) await keepMessage(parts.client, caller.principal.org_id, chatId, answer);
}

/** A message to a pipeline that has to start afresh is more to the same. */
const joined = (asked: string, more: string): string =>
  more.trim() === '' || more.trim() === asked.trim() ? asked : `${asked}\n\n${more}`;

const LONGEST_MESSAGE = 100_000;

function mustSaySomething({ message, resume }: SendRequest): void {
  if (message.length > LONGEST_MESSAGE)
    throw new Fault('REQUEST_INVALID', `message: is longer than ${LONGEST_MESSAGE} characters`);
  if (message.trim() === '' && !resume)
    throw new Fault('REQUEST_INVALID', 'message: is empty; only with resume: true it may be');
}
