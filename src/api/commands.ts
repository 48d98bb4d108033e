import { Router } from 'express';
import { z } from 'zod';
import type { PlanService } from '../service/service.ts';
import { otherMethods } from './addresses.ts';
import { readBody } from './body.ts';
import { commandAnswers, recordView, sendCommandAnswer } from './command-answer.ts';
import { commandBody, commandFields, plainCommand, readCommand } from './command-request.ts';
import { callerIn } from './locals.ts';
import { documented, json, type Operation } from './openapi/operation.ts';
import { prefersStrict } from './prefer.ts';
import { outcome } from './shapes/command.ts';
import { budgetBody } from './shapes/limits.ts';

const approval = z.strictObject({
  ...commandFields,
  question: z.string().optional().describe('Which of several open approvals'),
  choice: z.string().optional().describe('One of its options; `approve` when left out'),
});

const resumption = z.strictObject({
  ...commandFields,
  budget: budgetBody.optional().describe('What the plan may spend on models from now on'),
});

/** The commands on a whole plan: what the body of each may have, and what it does. */
const COMMANDS = {
  pause: {
    body: plainCommand,
    summary: 'Pause: nothing new starts',
    description:
      'From `stand_by` and `awaiting_input` at once. While a task runs the answer is 202, and the plan is `paused` when that has ended; `Prefer: handling=strict` asks for 400 instead.',
  },
  resume: {
    body: resumption,
    summary: 'Resume a paused plan',
    description:
      'A plan that a limit holds is resumed only once that was raised. What waits for its start time starts at once; waits keep what remained of them.',
  },
  stop: { body: plainCommand, summary: 'Stop a plan for ever', description: 'From every state that is not an end.' },
  approve: {
    body: approval,
    summary: 'Let a plan out of review, or approve what it asks',
    description: 'With several approvals open, name one.',
  },
} as const;
type Name = keyof typeof COMMANDS;

/** Document 1's pause, resume and stop, and approve in the same form; and what became of a command. */
export function commandRoutes(service: PlanService): Router {
  const router = Router();
  for (const name of Object.keys(COMMANDS) as Name[])
    router
      .route(`/api/plans/:id/${name}`)
      .put(documented(operationOf(name)), readBody, async (request, response) => {
        const strict = prefersStrict(request, response);
        const body = readCommand(COMMANDS[name].body, request);
        const { id } = request.params;
        const answer = await service.command(callerIn(response), id, name, { ...body, ...(strict && { strict }) });
        sendCommandAnswer(response, id, answer);
      })
      .all(otherMethods);
  router
    .route('/api/plans/:id/commands/:request_id')
    .get(documented(outcomeOperation), async (request, response) => {
      const { id, request_id } = request.params;
      const { record, ...outcome } = await service.outcome(callerIn(response), id, request_id);
      response.json({ ...outcome, ...(record && { record: recordView(record) }) });
    })
    .all(otherMethods);
  return router;
}

function operationOf(name: Name): Operation {
  const { body, summary, description } = COMMANDS[name];
  return {
    tag: 'controls',
    summary,
    description,
    headers: ['Prefer', 'Idempotency-Key'],
    body: commandBody(body, { comment: 'waiting for the freeze to end' }),
    answers: commandAnswers,
    faults: [
      'PLAN_INVALID_STATE',
      ...(name === 'resume' ? (['COST_LIMIT'] as const) : []),
      ...(name === 'approve' ? (['QUESTION_NOT_FOUND', 'QUESTION_CLOSED', 'ANSWER_INVALID'] as const) : []),
    ],
  };
}

const outcomeOperation: Operation = {
  tag: 'story',
  summary: 'What became of a command',
  description: 'A command that was refused is refused here in the same words.',
  answers: { 200: { description: 'Its outcome', content: json(outcome) } },
  faults: [
    ...(['PLAN_INVALID_STATE', 'COMMAND_NOT_FOUND', 'COMMAND_FORGOTTEN', 'TASK_NOT_FOUND'] as const),
    ...(['QUESTION_NOT_FOUND', 'QUESTION_CLOSED', 'ANSWER_INVALID', 'REQUEST_INVALID'] as const),
  ],
};
