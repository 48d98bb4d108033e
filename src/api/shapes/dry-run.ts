import { z } from 'zod';
import type { Json } from '../../plan/json.ts';
import type { DryRun } from '../../service/dry-run.ts';

const json = z.custom<Json>();

/** What a plan would do. */
export const dryRun: z.ZodType<DryRun> = z
  .object({
    valid: z.literal(true),
    name: z.string(),
    tasks: z.array(z.string()).describe('Its own tasks and handlers, in the order of the file'),
    inputs: z.record(z.string(), json).describe('As given, with the defaults'),
    would_run: z.array(
      z.object({
        id: z.string(),
        kind: z.string(),
        needs: z.array(z.string()),
        when: z.string().optional().describe('A condition that is known only when the plan runs'),
        for_each: z
          .object({ kind: z.string(), items: z.int().nullable() })
          .optional()
          .describe('Of a map: what runs for every item'),
        handler: z.string().optional(),
        max_attempts: z.int().optional(),
        timeout_ms: z.number().optional(),
      }),
    ),
    would_skip: z.array(z.object({ id: z.string(), reason: z.string() })),
    layers: z.array(z.array(z.string())).describe('Those of the first start at once'),
    permissions: z.array(z.string()).describe('What its creator has to be allowed'),
    questions: z.array(
      z.object({
        task: z.string().nullable().describe('Null for the review'),
        kind: z.string(),
        prompt: z.string(),
        options: json.optional(),
        form: json.optional(),
        timeout_ms: z.number().optional(),
        on_timeout: z.string().optional(),
        per_item: z.literal(true).optional(),
        when: z.string().optional(),
      }),
    ) as z.ZodType<DryRun['questions']>,
    longest: z.object({ ms: z.number().nullable(), unlimited: z.array(z.string()) }) as z.ZodType<DryRun['longest']>,
    warnings: z.array(z.string()),
  })
  .meta({ id: 'DryRun' });
