import { v4 as uuidv4 } from 'uuid';
import { Fault } from '../../faults.ts';
import type { JsonObject } from '../../plan/json.ts';
import { type Caller, mustHave } from '../caller.ts';
import type { ReadPlan } from '../read-plan.ts';
import { findRun } from './find-run.ts';
import { runOf } from './newest-run.ts';
import type { AgentsParts } from './parts.ts';
import { isAtWork, isInterrupted } from './pipeline-run.ts';
import { reading } from './reading.ts';
import { keepAnswer, type Sent } from './send.ts';
import { dismissRun, pipelinePlan, pipelineRunning, startRun } from './start-run.ts';

export interface CheckpointRequest {
  /** One of the checkpoint's options, or its place among them from 0. */
  option?: string | number | undefined;
  /** For a checkpoint with a form. */
  values?: JsonObject | undefined;
  /** Which one; the open one when left out. */
  checkpointId?: string | undefined;
  comment?: string | undefined;
  request_id?: string | undefined;
}

export interface CheckpointAnswer {
  pipelineRunId: string;
  checkpointId: string;
  option: string | null;
}

/** Answers a checkpoint, once. */
export async function answerCheckpoint(
  { client, read, command }: AgentsParts,
  caller: Caller,
  id: string,
  { option, values, checkpointId, ...more }: CheckpointRequest,
): Promise<CheckpointAnswer> {
  mustHave(caller, 'plan:approve');
  const { plan_id } = await findRun(client, caller, id);
  const { questions } = await read(reading(caller), plan_id);
  const question = checkpointId ?? onlyOne(questions);
  const asked = questions.find((one) => one.id === question);
  const choice = typeof option === 'number' ? (asked ? optionAt(asked, option) : String(option)) : option;
  const answer = { ...(choice !== undefined && { choice }), ...(values && { values }) };
  // Whether it is open is decided by the plan, which knows closed ones, too.
  const { record } = await command(caller, plan_id, 'answer', { ...more, question, ...answer });
  return { pipelineRunId: plan_id, checkpointId: question, option: record?.choice ?? choice ?? null };
}

function onlyOne(questions: ReadPlan['questions']): string {
  const [first, ...others] = questions;
  if (!first)
    throw new Fault('QUESTION_CLOSED', 'no checkpoint of the pipeline is open: it was answered, or none came');
  if (others.length > 0)
    throw new Fault(
      'REQUEST_INVALID',
      `several checkpoints are open; name one as checkpointId: ${questions.map(({ id }) => id).join(', ')}`,
    );
  return first.id;
}

function optionAt(question: ReadPlan['questions'][number], place: number): string {
  const option = question.options[place];
  if (option !== undefined) return option;
  const options = question.options.map((text, i) => `${i} ${text}`).join(', ');
  throw new Fault('ANSWER_INVALID', `option: there is no option ${place}${options ? `; there are ${options}` : ''}`);
}

/** An interrupted pipeline is no longer found as such. One that has ended stays as it is. */
export async function dismiss(parts: AgentsParts, caller: Caller, id: string): Promise<void> {
  mustHave(caller, 'plan:approve');
  const { plan_id } = await findRun(parts.client, caller, id);
  const view = await parts.read(reading(caller), plan_id);
  if (isAtWork(view))
    throw new Fault(
      'PLAN_INVALID_STATE',
      `cannot dismiss a pipeline that is at work (${view.state.status}): stop the plan instead`,
    );
  if (isInterrupted(view)) await dismissRun(parts, caller, plan_id);
}

/** A fresh pipeline for the same message; an interrupted one is dismissed. The same request again starts no other. */
export async function retry(
  parts: AgentsParts,
  caller: Caller,
  id: string,
  { request_id: asked }: { request_id?: string | undefined } = {},
): Promise<Sent> {
  mustHave(caller, 'plan:approve');
  const { plan_id, pipeline } = await findRun(parts.client, caller, id);
  mustHave(caller, 'plan:create');
  const { chat_id, project_id } = pipeline;
  const request_id = asked === undefined ? uuidv4() : `retry ${plan_id} ${asked}`;
  const sent = (pipelineRunId: string): Sent => ({ status: 'started', chatId: chat_id, pipelineRunId });
  const before = asked === undefined ? undefined : await runOf(parts.client, caller, chat_id, request_id);
  if (before !== undefined) return sent(before);
  const view = await parts.read(reading(caller), plan_id);
  if (isAtWork(view)) throw pipelineRunning(chat_id, { plan_id, state: { status: view.state.status } });
  const { inputs } = await parts.givenInputs(reading(caller), plan_id);
  // Nothing is given up for what cannot be started.
  await pipelinePlan(parts);
  if (isInterrupted(view)) await dismissRun(parts, caller, plan_id);
  else await keepAnswer(parts, caller, chat_id, view);
  const chat = { chat_id, ...(project_id !== undefined && { project_id }), request_id };
  return sent(await startRun(parts, caller, chat, String(inputs.message ?? '')));
}
