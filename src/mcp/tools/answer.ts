import { z } from 'zod';
import { Fault } from '../../faults.ts';
import type { Json } from '../../plan/json.ts';
import type { Answer } from '../../plan/questions.ts';
import { type Caller, mayDo } from '../../service/caller.ts';
import type { PlanService } from '../../service/service.ts';
import { STEERS } from '../annotations.ts';
import { comment, idempotencyKey, jsonObject, planId } from '../arguments.ts';
import { defineTool } from '../tool.ts';

export const planAnswer = defineTool({
  name: 'plan_answer',
  title: 'Answer what a plan asks',
  description: `Answers an open question of a plan; plan_status lists them with their options or form. Give choice, one of the options, or values where there is a form.
Without question: choice or values answer the one question that is open; with neither it approves, the one approval that is open or a plan in review.
Questions are put to whoever is responsible: answer only what you were told you may decide. A wrong value leaves the question open. The answer that was given, given again, is answered with its first record.
Errors: ANSWER_INVALID says what is wrong with it; QUESTION_NOT_FOUND; QUESTION_CLOSED when another answer came first; PLAN_INVALID_STATE; PLAN_NOT_FOUND.`,
  annotations: STEERS,
  input: z.strictObject({
    plan_id: planId,
    question: z.string().optional().describe('The id of the question, or of its task'),
    choice: z.string().optional().describe('One of its options'),
    values: jsonObject.optional().describe('What its form asks for'),
    comment,
    idempotency_key: idempotencyKey,
  }),
  output: z.object({
    plan_id: z.string(),
    status: z.enum(['answered', 'answer_queued']).describe('answer_queued: kept, but no worker has answered yet'),
    record: z
      .object({
        choice: z.string().optional(),
        values: z.record(z.string(), z.custom<Json>()).optional(),
        comment: z.string().optional(),
        by: z.string(),
        at: z.string().describe('ISO 8601'),
      })
      .nullable(),
    message: z.string(),
    request_id: z.string(),
  }),
  async run({ service, caller }, { plan_id, idempotency_key, ...given }) {
    const question = given.question ?? (await onlyQuestion(service, caller, plan_id, given));
    const name = question === undefined ? 'approve' : 'answer';
    const { result, record, request_id } = await service.command(caller, plan_id, name, {
      ...given,
      question,
      request_id: idempotency_key,
    });
    return {
      body: {
        plan_id: plan_id.toLowerCase(),
        status: result === 'pending' ? ('answer_queued' as const) : ('answered' as const),
        record: record ? { ...record, at: new Date(record.at).toISOString() } : null,
        message: result === 'pending' ? 'No worker has answered yet. Next: plan_status.' : 'Taken. Next: plan_wait.',
        request_id,
      },
    };
  },
});

/** Which question is meant by an answer that does not say it; undefined where it may be an approval. */
async function onlyQuestion(service: PlanService, caller: Caller, planId: string, { choice, values }: Answer) {
  if ((choice === undefined && values === undefined) || !mayDo(caller, 'plan:read')) return undefined;
  const { questions } = await service.read(caller, planId);
  const [first, ...others] = questions.map(({ id }) => id);
  if (others.length === 0) return first;
  throw new Fault('REQUEST_INVALID', `question: more than one is open; name one of ${[first, ...others].join(', ')}`);
}
