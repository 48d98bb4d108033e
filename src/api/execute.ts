import { type Request, type Response, Router } from 'express';
import { z } from 'zod';
import type { Place } from '../contract/payloads.ts';
import { Fault } from '../faults.ts';
import type { Answer } from '../service/execute/answer.ts';
import { answerBody } from '../service/execute/answer-body.ts';
import { parseRequest } from '../service/parse-request.ts';
import type { PlanService } from '../service/service.ts';
import { otherMethods } from './addresses.ts';
import { readBody, textBody } from './body.ts';
import { idempotencyKey } from './idempotency-key.ts';
import { callerIn } from './locals.ts';
import { documented, json, type Operation } from './openapi/operation.ts';
import { parseJson } from './parse-json.ts';
import { programAnswer, sessionList } from './shapes/program.ts';

const WORDS = {
  mode: z.enum(['plan', 'run']).optional().describe('`plan`: a dry run. Nothing is read; gives a `plan_commit_ref`'),
  plan_commit_ref: z
    .string()
    .min(1)
    .max(100)
    .optional()
    .describe('The token of a dry run of the same program in this session: accepts what its review says'),
  request_id: z.string().min(1).max(200).optional().describe('Chosen by the caller: the same again is the same run'),
};
const WAIT = '`false`: in the background. Left out, what is expensive goes there by itself';
const FORCE = '`true`: whatever its review says';
const flag = (text: string) =>
  z
    .enum(['true', 'false'])
    .transform((word) => word === 'true')
    .optional()
    .describe(text);
const programQuery = z.strictObject({ ...WORDS, wait: flag(WAIT), force: flag(FORCE) });
const programBody = z.strictObject({
  program: z.string().describe('A program, a continuation such as `wait(s0_o1)`, or the text of a plan file'),
  ...WORDS,
  wait: z.boolean().optional().describe(WAIT),
  force: z.boolean().optional().describe(FORCE),
});

/** Programs over a catalog, in a session of the caller's (document 2). */
export function executeRoutes({ execute }: PlanService, place: () => Place): Router {
  const router = Router();
  router
    .route('/execute')
    .get(documented(OPERATIONS.list), async (_request, response) => {
      response.json({ sessions: await execute.sessions(callerIn(response)) });
    })
    .all(otherMethods);
  router
    .route('/execute/:prompt_hash/:session')
    .post(documented(OPERATIONS.run), readBody, async (request, response) => {
      const { prompt_hash, session } = request.params;
      const asked = merged(parseRequest(programQuery, request.query), bodyOf(request));
      const answer = await execute.run(callerIn(response), {
        request_id: idempotencyKey(request),
        ...asked,
        ...{ prompt_hash, session },
        surface: 'http',
        place: place(),
      });
      sendAnswer(request, response, answer);
    })
    .all(otherMethods);
  return router;
}

/** Markdown, unless JSON is asked for. An operation that was accepted has an address of its own. */
export function sendAnswer(request: Request, response: Response, answer: Answer): void {
  const { continuity } = answer.meta.plasm;
  const { prompt_hash, session } = request.params as Record<string, string>;
  response.status(answer.status).vary('Accept');
  if (answer.status === 202 && continuity)
    response.location(`/execute/${prompt_hash}/${encodeURIComponent(session!)}/operations/${continuity.h}`);
  if (request.accepts(['text/markdown', 'application/json', 'text/plain']) === 'application/json')
    response.json(answerBody(answer));
  else response.type('text/markdown; charset=utf-8').send(answer.markdown);
}

/** The program alone as text, or with the parameters as JSON. */
function bodyOf(request: Request): z.infer<typeof programBody> {
  const body = textBody(request, 'json', 'text', 'yaml');
  if (!body) throw new Fault('REQUEST_INVALID', 'the body is empty; send a program, as text or as {"program": "…"}');
  return body.form === 'json' ? parseRequest(programBody, parseJson(body.text)) : { program: body.text };
}

/** What stands in the query and in the body has to be the same. */
function merged(query: z.infer<typeof programQuery>, body: z.infer<typeof programBody>) {
  for (const [name, value] of Object.entries(query)) {
    const other = body[name as keyof typeof body];
    if (value !== undefined && other !== undefined && other !== value)
      throw new Fault('REQUEST_INVALID', `${name}: is ${value} in the query and ${other} in the body; say it once`);
  }
  const said = Object.fromEntries(Object.entries(query).filter(([, value]) => value !== undefined));
  return { ...body, ...(said as z.infer<typeof programQuery>) };
}

const answered = { 'text/markdown': { schema: z.string() }, ...json(programAnswer) };

const OPERATIONS = {
  list: {
    tag: 'programs',
    summary: 'The sessions of the organisation that are in use',
    description:
      'Made by their first use, they end a day after the last. One that was just made may be missing for a second.',
    answers: { 200: { description: 'The 200 that began last, the last used first', content: json(sessionList) } },
  },
  run: {
    tag: 'programs',
    summary: 'Run a program, dry-run it, or go on with one: wait, cancel, page',
    description:
      'What is bounded answers with its rows; what is not, and everything with `wait=false`, is accepted as an operation with a handle, which `wait(…)` asks for and `cancel(…)` ends. ' +
      'A program whose dry run has the verdict `review` needs the `plan_commit_ref` of that dry run, or `force`.',
    query: programQuery,
    headers: ['Idempotency-Key'],
    body: {
      required: true,
      content: {
        ...json(programBody, { program: 'Pokemon.filter{base_experience >= 300}', mode: 'plan' }),
        'text/plain': { schema: z.string(), example: 'wait(s0_o1)' },
      },
    },
    answers: {
      200: { description: 'Its rows, its dry run, or how the operation stands', content: answered },
      202: { description: 'An operation was accepted', headers: ['Location'], content: answered },
    },
    faults: [
      ...(['PROGRAM_INVALID', 'PLAN_INVALID', 'PLAN_TOO_LARGE', 'REVIEW_REQUIRED'] as const),
      ...(['COMMIT_UNKNOWN', 'COMMIT_EXPIRED', 'COMMIT_MISMATCH'] as const),
      ...(['HANDLE_NOT_FOUND', 'HANDLE_EXPIRED', 'OPERATION_FAILED', 'OUTPUT_GONE'] as const),
    ],
  },
} satisfies Record<string, Operation>;
