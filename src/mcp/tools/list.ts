import { z } from 'zod';
import { PLAN_STATUSES } from '../../plan/lifecycle.ts';
import { READS } from '../annotations.ts';
import { progressOf } from '../listed-progress.ts';
import { PLAN_WORDS, STATES, statusesOf } from '../plan-words.ts';
import { defineTool } from '../tool.ts';

export const planList = defineTool({
  name: 'plan_list',
  title: 'List plans',
  description: `Lists the plans of your organisation: those that have not ended first, each newest first. Use it when you have lost a plan_id. A new plan shows up within about a second.
For what a plan does, and why it failed, ask plan_status.`,
  annotations: READS,
  input: z.strictObject({
    state: z.enum(STATES).optional().describe('Only those in this state'),
    needs_attention: z.boolean().optional().describe('Only those that wait for somebody'),
    name: z.string().optional().describe('Only those of this name'),
    limit: z.int().min(1).max(50).optional().describe('10 unless said'),
    cursor: z.string().optional().describe('next_cursor of the page before, with the same filters'),
  }),
  output: z.object({
    plans: z.array(
      z.object({
        plan_id: z.string(),
        name: z.string(),
        state: z.enum(STATES),
        plan_state: z.object({ status: z.enum(PLAN_STATUSES) }),
        created_at: z.string().describe('ISO 8601'),
        ended_at: z.string().nullable(),
        progress_percentage: z.int().nullable().describe('null: the plan has not told it in time'),
        trigger_source: z
          .string()
          .optional()
          .describe('What started its latest run, such as mcp plan_resume; not known of very old plans'),
      }),
    ),
    next_cursor: z.string().nullable(),
    message: z.string(),
  }),
  async run({ service, caller }, { state, limit = 10, ...filters }) {
    const asked = { ...filters, limit, ...(state && { state: statusesOf(state).join(',') }) };
    const { plans, next_cursor } = await service.list(caller, asked);
    const progress = await progressOf(service, caller, plans);
    return {
      body: {
        plans: plans.map(({ plan_id, name, state, created_at, ended_at, trigger_source }) => ({
          plan_id,
          name,
          state: PLAN_WORDS[state.status].state,
          plan_state: state,
          created_at,
          ended_at,
          progress_percentage: progress.get(plan_id) ?? null,
          ...(trigger_source !== undefined && { trigger_source }),
        })),
        next_cursor,
        message: `Returned ${plans.length} plan(s).`,
      },
    };
  },
});
