import { z } from 'zod';
import type { Json } from '../plan/json.ts';

/** Arguments that several tools take. */
export const planId = z.string().describe('The plan_id that plan_create gave. It stays good across restarts.');

export const jsonObject = z.record(z.string(), z.custom<Json>());

export const planFile = z
  .union([z.string(), jsonObject])
  .describe('The plan file: its text in YAML or JSON, or the same as an object');

export const textOf = (plan: string | z.output<typeof jsonObject>): string =>
  typeof plan === 'string' ? plan : JSON.stringify(plan);

export const idempotencyKey = z
  .string()
  .regex(/^[\x21-\x7e]{1,200}$/, 'give 1 to 200 printable ASCII characters')
  .optional()
  .describe('Chosen by you: the same call again with the same key does nothing more, and answers the same');

export const modelProfile = z
  .string()
  .min(1)
  .max(200)
  .optional()
  .describe('Another profile of models for the next run; the one it had, unless said');

export const comment = z.string().max(10_000).optional().describe('Kept in the timeline of the plan');
