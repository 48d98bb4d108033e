import { z } from 'zod';
import type { PlanList } from '../../service/list-plans.ts';
import { enrollment } from './created.ts';
import { planTag, time } from './plan-state.ts';

export const planList: z.ZodType<PlanList> = z
  .object({
    plans: z.array(
      z
        .object({
          plan_id: z.uuid(),
          name: z.string(),
          state: planTag,
          owner: z.string().describe('Id of whoever started its last run'),
          created_at: time,
          ended_at: time.nullable(),
          trigger_source: z
            .string()
            .optional()
            .describe('What started its latest run, such as `rest` or `mcp plan_resume`'),
          labels: z.record(z.string(), z.string()).optional(),
          enrollment: enrollment.optional(),
        })
        .meta({ id: 'PlanSummary' }),
    ),
    next_cursor: z.string().nullable().describe('Give it as `cursor` with the same filters; null at the end'),
  })
  .meta({ id: 'PlanList' });
