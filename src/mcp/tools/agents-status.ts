import { z } from 'zod';
import { READS } from '../annotations.ts';
import { defineTool } from '../tool.ts';
import { chatId } from './agents-run.ts';

const nullable = z.string().nullable();

export const agentsStatus = defineTool({
  name: 'agents_status',
  title: 'How the agents of a chat stand',
  description: `Tells how the newest pipeline of a chat stands: which agents have completed, at what cost, what it waits for, and the answer once it has completed.
status: running, awaiting_checkpoint (answer with plan_answer: plan_id is pipeline_run_id, question is the checkpoint_id), interrupted (error_type cost_limit: somebody raises the limit; then agents_run with resume), completed, failed; null for a chat without one.
To wait for its end use plan_wait with pipeline_run_id.`,
  annotations: READS,
  input: z.strictObject({ chat_id: chatId }),
  output: z.object({
    chat_id: z.string(),
    running: z.boolean(),
    status: nullable,
    error_type: nullable,
    message: nullable,
    pipeline_run_id: nullable,
    interrupted_pipeline_id: nullable,
    checkpoint: z.object({ checkpoint_id: z.string(), message: z.string(), options: z.array(z.string()) }).nullable(),
    agents: z.array(
      z.object({ name: z.string(), status: z.string(), tokens: z.number(), error: z.string().optional() }),
    ),
    tokens: z.number(),
    cost: z.number(),
    answer: nullable.describe('What the last completed pipeline said'),
  }),
  async run({ service, caller }, { chat_id }) {
    const { executions, pendingCheckpoint, ...status } = await service.agents.status(caller, chat_id);
    const messages = status.status === 'completed' ? await service.agents.messages(caller, chat_id) : [];
    const answer = messages.findLast(({ role }) => role === 'assistant')?.content ?? null;
    const { checkpointId: checkpoint_id, message = '', options = [] } = pendingCheckpoint ?? {};
    return {
      body: {
        chat_id,
        running: status.running,
        status: status.status,
        error_type: status.errorType,
        message: status.message,
        pipeline_run_id: status.pipelineRunId,
        interrupted_pipeline_id: status.interruptedPipelineId,
        checkpoint: checkpoint_id === undefined ? null : { checkpoint_id, message, options },
        agents: executions.map(({ agentName: name, status, tokens, error }) => ({
          name,
          status,
          tokens,
          ...(error !== undefined && { error }),
        })),
        tokens: status.tokens,
        cost: status.cost,
        answer,
      },
    };
  },
});
