import { z } from 'zod';
import { PLAN_STATUSES } from '../plan/lifecycle.ts';
import { MOST_LISTED } from '../service/list-limit.ts';
import type { ListRequest } from '../service/list-plans.ts';
import { wholeNumber } from './whole-number.ts';

const flag = z.enum(['true', 'false']).optional();

/** The filters of a list; all that are given have to hold. */
export const listQuery = z.strictObject({
  state: z
    .string()
    .optional()
    .describe(`One or more of ${PLAN_STATUSES.join(', ')}, separated by commas`),
  needs_attention: flag.describe('Plans that wait for somebody: awaiting_input, paused, pending_review, failed'),
  mine: flag.describe('Plans that the caller started'),
  name: z.string().optional(),
  name_prefix: z.string().optional(),
  label: z
    .union([z.string(), z.array(z.string())])
    .optional()
    .describe('`KEY=VALUE`, as in the plan file’s `labels`; may be given several times'),
  enrollment: z.string().optional().describe('The key of an enrollment'),
  created_after: z.string().optional().describe('ISO 8601'),
  created_before: z.string().optional().describe('ISO 8601'),
  limit: wholeNumber({ minimum: 1, maximum: MOST_LISTED }).optional(),
  cursor: z.string().optional().describe('The `next_cursor` of the page before, with the same filters'),
});

export function listRequest({ needs_attention, mine, label, ...rest }: z.output<typeof listQuery>): ListRequest {
  return {
    ...rest,
    ...(needs_attention === 'true' && { needs_attention: true }),
    ...(mine === 'true' && { mine: true }),
    ...(label !== undefined && { labels: [label].flat() }),
  };
}
