import type { Request } from 'express';
import { z } from 'zod';
import { Fault } from '../faults.ts';
import type { Json } from '../plan/json.ts';
import type { CreateRequest } from '../service/create-plan.ts';
import { ENROLLMENT_POLICIES, LONGEST_KEY } from '../service/enroll.ts';
import { isPlanId } from '../service/ids.ts';
import { parseRequest } from '../service/parse-request.ts';
import { textBody } from './body.ts';
import type { Body } from './openapi/operation.ts';
import { parseJson } from './parse-json.ts';

/** Out of `JSON.parse` every value is JSON. */
export const jsonObject = z.record(z.string(), z.custom<Json>());

const planFile = jsonObject.meta({ id: 'PlanFile', description: 'A plan file, as docs/plan-files.md describes it' });

/** A plan file in a JSON body. */
export const planInBody = z.union([z.string(), planFile]);
export const planText = (plan: z.infer<typeof planInBody>): string =>
  typeof plan === 'string' ? plan : JSON.stringify(plan);

const planRequest = z
  .strictObject({
    plan: planInBody.describe('The plan file: its text, or what it says'),
    inputs: jsonObject.optional(),
    start_at: z.string().optional().describe('ISO 8601, with its zone: the first task does not start before'),
    review: z.enum(['required', 'none']).optional().describe('`required`: nothing starts before the plan is approved'),
    enrollment: z
      .strictObject({ key: z.string().min(1).max(LONGEST_KEY), policy: z.enum(ENROLLMENT_POLICIES) })
      .optional()
      .describe('Joins the plans of one key: `once` for ever one, `multiple` one at a time'),
    plan_id: z
      .string()
      .refine(isPlanId, 'is not a UUID')
      .meta({ format: 'uuid' })
      .optional()
      .describe('Chosen by the caller: the same id and body again is the same plan'),
  })
  .meta({ id: 'PlanRequest' });

const EXAMPLE = 'plan: 1\nname: release\ntasks:\n  ok: { approve: { prompt: "Ship?", options: [ship, reject] } }\n';

/** What `readPlanRequest` reads. */
export const planBody: Body = {
  required: true,
  content: {
    'application/json': {
      schema: z.union([planRequest, planFile]),
      example: { plan: EXAMPLE, review: 'required' },
    },
    'application/yaml': { schema: z.string().describe('A plan file'), example: EXAMPLE },
  },
};

/** A plan file as it is, in YAML or JSON, or a JSON object that has one as `plan`, with what is to be said besides. */
export function readPlanRequest(request: Request): Omit<CreateRequest, 'place'> {
  const body = textBody(request, 'yaml', 'json');
  if (!body)
    throw new Fault('REQUEST_INVALID', 'the body is missing; send a plan file as application/yaml or application/json');
  if (body.form === 'yaml') return { plan: body.text };
  const value = parseJson(body.text);
  if (isPlanFile(value)) return { plan: body.text };
  const { plan, ...rest } = parseRequest(planRequest, value);
  return { plan: planText(plan), ...rest };
}

/** `plan` is the version of the format in a plan file, and the file itself in a request. */
function isPlanFile(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false;
  const hasFile = 'plan' in value && (typeof value.plan === 'string' || typeof value.plan === 'object');
  return ('tasks' in value || 'steps' in value) && !hasFile;
}
