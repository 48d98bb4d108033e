import type { Request } from 'express';
import { z } from 'zod';
import { Fault } from '../faults.ts';
import type { Json } from '../plan/json.ts';
import type { CreateRequest } from '../service/create-plan.ts';
import { textBody } from './body.ts';
import { parseJson } from './parse-json.ts';
import { parseRequest } from './parse-request.ts';

/** Out of `JSON.parse` every value is JSON. */
const jsonObject = z.record(z.string(), z.custom<Json>());

const planRequest = z.strictObject({
  plan: z.union([z.string(), jsonObject]),
  inputs: jsonObject.optional(),
  start_at: z.string().optional(),
  review: z.enum(['required', 'none']).optional(),
  enrollment: z.strictObject({ key: z.string().min(1), policy: z.enum(['once', 'multiple']) }).optional(),
  plan_id: z.uuid('is not a UUID').optional(),
});

/** A plan file as it is, in YAML or JSON, or a JSON object that has one as `plan`, with what is to be said besides. */
export function readPlanRequest(request: Request): Omit<CreateRequest, 'place'> {
  const body = textBody(request, 'yaml', 'json');
  if (!body)
    throw new Fault('REQUEST_INVALID', 'the body is missing; send a plan file as application/yaml or application/json');
  if (body.form === 'yaml') return { plan: body.text };
  const value = parseJson(body.text);
  if (isPlanFile(value)) return { plan: body.text };
  const { plan, ...rest } = parseRequest(planRequest, value);
  return { plan: typeof plan === 'string' ? plan : JSON.stringify(plan), ...rest };
}

/** `plan` is the version of the format in a plan file, and the file itself in a request. */
function isPlanFile(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false;
  const hasFile = 'plan' in value && (typeof value.plan === 'string' || typeof value.plan === 'object');
  return ('tasks' in value || 'steps' in value) && !hasFile;
}
