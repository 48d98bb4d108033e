import { z } from 'zod';
import { STARTS } from '../annotations.ts';
import { idempotencyKey } from '../arguments.ts';
import { defineTool } from '../tool.ts';

export const chatId = z.string().min(1).max(150).describe('Chosen by you: names the chat, in every later call');

export const agentsRun = defineTool({
  name: 'agents_run',
  title: 'Have agents work a message',
  description: `Takes a message of a chat: agents sort it (build, fix or question) and work it, one pipeline at a time in each chat. It returns at once; see agents_status.
An interrupted pipeline of the chat (a limit was reached, or the server restarted) goes on, whatever the message says, without paying again for what is finished; else a fresh one is started.
Errors: PIPELINE_RUNNING while one is at work; COST_LIMIT while the limit that interrupted it is still over, with spent, limit and missing.`,
  annotations: STARTS,
  input: z.strictObject({
    chat_id: chatId,
    message: z.string().describe('What is wanted; may be empty with resume'),
    resume: z.boolean().optional().describe('Let the interrupted pipeline go on'),
    idempotency_key: idempotencyKey,
  }),
  output: z.object({
    status: z.enum(['started', 'resumed']),
    chat_id: z.string(),
    pipeline_run_id: z.string().describe('Also a plan_id: plan_status, plan_wait and plan_logs take it'),
  }),
  async run({ service, caller }, { chat_id, message, resume, idempotency_key }) {
    const request = { chatId: chat_id, message, resume, request_id: idempotency_key, keep: true };
    const { status, pipelineRunId } = await service.agents.send(caller, request);
    return { body: { status, chat_id, pipeline_run_id: pipelineRunId } };
  },
});
