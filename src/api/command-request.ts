import type { Request } from 'express';
import { z } from 'zod';
import { parseRequest } from '../service/parse-request.ts';
import { jsonBody } from './body.ts';
import { idempotencyKey } from './idempotency-key.ts';
import { type Body, json } from './openapi/operation.ts';

/** What every command may carry; the workflow keeps both for as long as the plan lives. */
export const commandFields = {
  request_id: z.string().min(1).max(200).optional().describe('Chosen by the caller: the same again does nothing more'),
  comment: z.string().max(10_000).optional(),
};
export const plainCommand = z.strictObject(commandFields);

/** The body of a command, which may be left out; its `request_id` may be given as `Idempotency-Key` just as well. */
export function readCommand<T extends { request_id?: string | undefined }>(schema: z.ZodType<T>, request: Request): T {
  const command = parseRequest(schema, jsonBody(request));
  const key = idempotencyKey(request);
  return key === undefined ? command : { request_id: key, ...command };
}

export const commandBody = (schema: z.ZodType, example?: unknown): Body => ({
  required: false,
  content: json(schema, example),
});
