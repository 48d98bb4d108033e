import {
  type ElicitRequestFormParams,
  isSpecType,
  ProtocolError,
  ProtocolErrorCode,
} from '@modelcontextprotocol/server';
import { z } from 'zod';
import type { Answer } from '../plan/questions.ts';
import type { QuestionView } from '../plan/view.ts';
import { parseRequest } from '../service/parse-request.ts';
import { comment } from './arguments.ts';

export interface Elicitation {
  method: 'elicitation/create';
  params: ElicitRequestFormParams;
}

/** A question as a client puts it to its user; undefined where its form is more than clients can show. */
export function elicitationOf({ prompt, options, form }: QuestionView): Elicitation | undefined {
  const requestedSchema = form ?? {
    type: 'object',
    properties: {
      choice: { type: 'string', title: 'Answer', enum: options },
      comment: { type: 'string', title: 'Comment', description: 'Kept in the timeline of the plan', maxLength: 10_000 },
    },
    required: ['choice'],
  };
  const params = { mode: 'form' as const, message: prompt, requestedSchema };
  return isSpecType.ElicitRequestFormParams(params) ? { method: 'elicitation/create', params } : undefined;
}

const chosen = z.object({ choice: z.string().optional(), comment });
const result = z.looseObject({
  action: z.enum(['accept', 'decline', 'cancel']),
  content: z.record(z.string(), z.union([z.string(), z.number(), z.boolean(), z.array(z.string())])).optional(),
});

/** What the user answered, as the plan takes it; undefined where they did not want to. */
export function answerOf({ id, form }: QuestionView, response: unknown): Answer | undefined {
  const parsed = result.safeParse(response);
  if (!parsed.success)
    throw new ProtocolError(
      ProtocolErrorCode.InvalidParams,
      `the response to ${id} is none to elicitation/create: give {action: "accept", content}, {action: "decline"} or {action: "cancel"}`,
    );
  const { action, content = {} } = parsed.data;
  if (action !== 'accept') return undefined;
  if (form !== undefined) return { values: content };
  return parseRequest(chosen, content);
}
