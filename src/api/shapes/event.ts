import { z } from 'zod';
import { EVENT_TYPES, type PlanEvent } from '../../plan/events.ts';
import type { Json } from '../../plan/json.ts';
import { TASK_STATUSES } from '../../plan/state.ts';
import { planState, time } from './plan-state.ts';

const json = z.custom<Json>();
const error = z.object({
  message: z.string(),
  code: z.string(),
  details: json.optional(),
  task: z.string().optional(),
});

/** One entry of a plan's story. */
export const event: z.ZodType<Omit<PlanEvent, 'at'> & { at: string }> = z
  .object({
    seq: z.int().min(1).describe('Without gaps over all runs'),
    at: time,
    type: z.enum(EVENT_TYPES),
    by: z.string().optional().describe('The display name of who did it'),
    task: z.string().optional(),
    attempt: z.int().optional(),
    question: z.string().optional(),
    state: planState.optional(),
    message: z.string().optional(),
    details: json.optional(),
    error: error.nullable().optional(),
    totals: z.record(z.enum(TASK_STATUSES), z.int()).optional(),
  })
  .meta({ id: 'Event' });

/** What retention has removed. */
const gap = z
  .object({ type: z.literal('gap'), from_seq: z.int(), seq: z.int(), message: z.string() })
  .meta({ id: 'Gap' });
/** An operator has put the plan back in Temporal; the plan itself knows nothing of it. */
const reset = z
  .object({ type: z.literal('PlanReset'), at: time, by: z.string(), message: z.string() })
  .meta({ id: 'Reset' });

export const timeline = z
  .object({
    entries: z.array(z.union([event, gap, reset])),
    next_after: z.int().nullable().optional().describe('With `limit`: what `after` has to be for the next page'),
  })
  .meta({ id: 'Timeline' });
