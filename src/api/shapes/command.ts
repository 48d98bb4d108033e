import { z } from 'zod';
import type { Json } from '../../plan/json.ts';
import { time } from './plan-state.ts';

export const accepted = z
  .object({
    plan_id: z.uuid(),
    request_id: z.string(),
    pausing: z.literal(true).optional().describe('A running task has to end first'),
    message: z.string().optional().describe('No worker has answered yet: the command is kept'),
  })
  .meta({ id: 'CommandAccepted' });

export const answerRecord = z
  .object({
    choice: z.string().optional(),
    values: z.record(z.string(), z.custom<Json>()).optional(),
    comment: z.string().optional(),
    by: z.string(),
    at: time,
  })
  .meta({ id: 'AnswerRecord' });

export const outcome = z
  .object({
    request_id: z.string(),
    result: z
      .enum(['done', 'accepted', 'pending'])
      .describe('It took effect; it takes effect when what runs has ended; no worker has answered yet'),
    record: answerRecord.optional(),
  })
  .meta({ id: 'CommandOutcome' });
