import { z } from 'zod';
import { PLAN_STATUSES, type PlanStateView } from '../../plan/lifecycle.ts';

/** Times in answers. */
export const time = z.iso.datetime();

const tags = PLAN_STATUSES.filter((status) => status !== 'stand_by');

/** As serialised: a tag alone, but for `stand_by`, which says when it goes on. */
export const planState: z.ZodType<PlanStateView> = z
  .union([z.object({ status: z.enum(tags) }), z.object({ status: z.literal('stand_by'), next_execution_at: time })])
  .meta({ id: 'PlanState' });

/** Where only the tag is known: lists do not say when a plan goes on. */
export const planTag = z.object({ status: z.enum(PLAN_STATUSES) }).meta({ id: 'PlanTag' });
