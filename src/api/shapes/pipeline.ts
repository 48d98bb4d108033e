import { z } from 'zod';
import type { Json } from '../../plan/json.ts';
import { LONGEST_CHAT_ID } from '../../service/agents/chat-id.ts';
import { ERROR_TYPES, EXECUTION_STATUSES, RUN_STATUSES } from '../../service/agents/pipeline-run.ts';
import { INTENTS, SCOPES } from '../../service/pipelines/names.ts';

const json = z.custom<Json>();
const ms = z.int().describe('ms since the epoch');
export const chatId = z.string().min(1).max(LONGEST_CHAT_ID).describe('Chosen by the application: names its chat');
export const ofChat = z.strictObject({ chatId });

export const sent = z
  .object({ status: z.enum(['started', 'resumed']), chatId: z.string(), pipelineRunId: z.uuid() })
  .meta({ id: 'PipelineSent' });

const checkpoint = z
  .object({
    checkpointId: z.string(),
    agentName: z.string(),
    message: z.string(),
    options: z.array(z.string()),
    form: z.record(z.string(), json).optional().describe('JSON Schema of what is to be given as `values`'),
    openedAt: ms,
    expiresAt: ms.nullable().describe('When it is decided without an answer'),
  })
  .meta({ id: 'PendingCheckpoint' });

const execution = z
  .object({
    agentName: z.string(),
    status: z.enum(EXECUTION_STATUSES),
    startedAt: ms.nullable(),
    completedAt: ms.nullable(),
    tokens: z.number().describe('Of the attempt that succeeded'),
    cost: z.number(),
    attempt: z.int(),
    output: z
      .object({ content: z.string(), json: json.optional(), truncated: z.literal(true).optional() })
      .optional()
      .describe('What the agent answered; of a long text its beginning'),
    error: z.string().optional(),
    reason: z.string().optional().describe('Why it was skipped, or stopped'),
  })
  .meta({ id: 'AgentExecution' });

const errorType = z.enum(ERROR_TYPES).nullable().describe('Why it is interrupted');
const live = z
  .boolean()
  .describe(
    'False while no worker answers: then only the status is known, and neither why nor which agents have worked',
  );
const usage = { tokens: z.number(), cost: z.number() };
const message = z.string().nullable().describe('What holds it, or why it failed');

export const pipelineRun = z
  .object({
    id: z.uuid(),
    chat_id: z.string(),
    project_id: z.string().nullable(),
    intent: z.enum(INTENTS).nullable().describe('Null until the message has been classified'),
    scope: z
      .string()
      .nullable()
      .describe(`Of the shipped pipelines ${SCOPES.join(', ')}`),
    user_message: z.string(),
    planned_agents: z.array(z.string()),
    status: z.enum(RUN_STATUSES),
    checkpoint_data: checkpoint.nullable(),
    started_at: ms,
    completed_at: ms.nullable(),
    errorType,
    message,
    dismissed: z.boolean().describe('It is no longer found as interrupted'),
    live,
    executions: z.array(execution),
    ...usage,
  })
  .meta({ id: 'PipelineRun' });

export const chatStatus = z
  .object({
    chatId: z.string(),
    running: z.boolean(),
    pendingCheckpoint: checkpoint.nullable(),
    executions: z.array(execution).describe('Of the newest run of the chat'),
    interruptedPipelineId: z.uuid().nullable(),
    pipelineRunId: z.uuid().nullable().describe('The newest run'),
    status: z.enum(RUN_STATUSES).nullable(),
    errorType,
    message,
    planned_agents: z.array(z.string()),
    live,
    ...usage,
  })
  .meta({ id: 'ChatStatus' });

export const chatMessages = z.object({
  messages: z
    .array(z.object({ role: z.enum(['user', 'assistant']), content: z.string(), at: ms }))
    .describe('Oldest first'),
});
