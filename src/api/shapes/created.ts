import { z } from 'zod';
import type { Created } from '../../service/create-plan.ts';
import { ENROLLMENT_POLICIES } from '../../service/enroll.ts';
import type { Enrollment } from '../../service/start-workflow.ts';

export const enrollment: z.ZodType<Enrollment> = z
  .object({ key: z.string(), policy: z.enum(ENROLLMENT_POLICIES), n: z.int().min(1) })
  .describe('`n` counts the plans of the key')
  .meta({ id: 'Enrollment' });

export const created: z.ZodType<Created> = z
  .object({
    plan_id: z.uuid(),
    created: z.boolean().describe('False when the same plan was there already'),
    enrollment: enrollment.optional(),
  })
  .meta({ id: 'Created' });
