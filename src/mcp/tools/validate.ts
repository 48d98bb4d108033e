import { z } from 'zod';
import type { Json } from '../../plan/json.ts';
import { READS } from '../annotations.ts';
import { jsonObject, planFile, textOf } from '../arguments.ts';
import { defineTool } from '../tool.ts';

export const planValidate = defineTool({
  name: 'plan_validate',
  title: 'Check a plan file',
  description: `Checks a plan file as plan_create would, tells what it would do, and starts nothing: what runs first, what is skipped, what would be asked, how long it may take, and what its creator has to be allowed. plan_create tells the words of plan files.
Errors: PLAN_INVALID, with every wrong place in details.errors (message, path, line, column): mend them all, then check again.`,
  annotations: READS,
  input: z.strictObject({
    plan: planFile,
    inputs: jsonObject.optional().describe('Values for the inputs that the plan declares'),
  }),
  output: z.object({
    valid: z.literal(true),
    name: z.string(),
    tasks: z.array(z.string()),
    inputs: z.record(z.string(), z.custom<Json>()).describe('As given, with the defaults'),
    would_run: z.array(z.looseObject({ id: z.string(), kind: z.string(), needs: z.array(z.string()) })),
    would_skip: z.array(z.object({ id: z.string(), reason: z.string() })),
    layers: z.array(z.array(z.string())).describe('Those of the first start at once'),
    permissions: z.array(z.string()),
    questions: z.array(z.looseObject({ task: z.string().nullable(), prompt: z.string() })),
    longest: z.looseObject({}).describe('How long it may take at most, in ms; null: without limit'),
    warnings: z.array(z.string()),
  }),
  async run({ service, caller }, { plan, inputs }) {
    const told = await service.validate(caller, { plan: textOf(plan), inputs });
    const { longest, would_run, questions, ...rest } = told;
    return {
      body: {
        ...rest,
        would_run: would_run.map((one) => ({ ...one })),
        questions: questions.map((one) => ({ ...one })),
        longest: { ...longest },
      },
    };
  },
});
