import { z } from 'zod';
import { FAULTS, type FaultCode } from '../../faults.ts';
import { PLAN_STATUSES } from '../../plan/lifecycle.ts';
import { answerObject } from './answers.ts';
import type { Schemas } from './json-schema.ts';
import type { Operation, ResponseHeaderName } from './operation.ts';
import type { DocumentedRoute } from './routes.ts';

/** What any call of a kind may be answered, whatever it is about. */
const ALWAYS = [
  // Also where nobody has to sign in: requests of a foreign host, or of another site's page.
  [() => true, ['PLAN_FORBIDDEN', 'INTERNAL']],
  [({ open }: Operation) => !open, ['UNAUTHENTICATED', 'IDENTITY_UNAVAILABLE', 'RATE_LIMITED', 'ENGINE_UNAVAILABLE']],
  [({ body }: Operation) => body !== undefined, ['BODY_TOO_LARGE', 'MEDIA_TYPE_UNSUPPORTED', 'REQUEST_INVALID']],
  // An unknown word in the query, if nothing else.
  [({ open }: Operation) => !open, ['REQUEST_INVALID']],
  [(_: Operation, path: string) => path.includes(':'), ['ROUTE_NOT_FOUND']],
  [(_: Operation, path: string) => path.includes(':id'), ['PLAN_NOT_FOUND']],
  [(_: Operation, path: string) => path.includes(':prompt_hash'), ['CATALOG_NOT_FOUND']],
  [(_: Operation, path: string) => path.includes(':handle'), ['HANDLE_NOT_FOUND', 'HANDLE_EXPIRED']],
] as const satisfies [(operation: Operation, path: string) => boolean, FaultCode[]][];

const HEADERS: Partial<Record<FaultCode, ResponseHeaderName>> = {
  UNAUTHENTICATED: 'WWW-Authenticate',
  ENGINE_UNAVAILABLE: 'Retry-After',
  IDENTITY_UNAVAILABLE: 'Retry-After',
  RATE_LIMITED: 'Retry-After',
  UPGRADE_REQUIRED: 'Upgrade',
};

export const problemSchema = z
  .object({
    type: z.string().describe('Names the code as a URN'),
    title: z.string(),
    status: z.int(),
    detail: z.string().describe('What is wrong, where, and what to do'),
    code: z.enum(Object.keys(FAULTS) as [FaultCode, ...FaultCode[]]),
    errors: z
      .array(
        z.object({
          message: z.string(),
          path: z.array(z.union([z.string(), z.int()])).describe('Keys and indexes from the top'),
          line: z.int().optional(),
          column: z.int().optional(),
        }),
      )
      .optional()
      .describe('Every wrong place'),
    blocked_by: z
      .object({ plan_id: z.uuid(), state: z.object({ status: z.enum(PLAN_STATUSES) }) })
      .optional()
      .describe('The plan in the way; with `ENROLLMENT_BLOCKED`'),
    errorType: z.literal('cost_limit').optional().describe('With `COST_LIMIT`, as what follows'),
    limit: z.enum(['plan', 'chat', 'day_tokens', 'day_cost', 'project']).optional(),
    spent: z.number().optional().describe('What is spent, and reserved by calls in flight'),
    max: z.number().optional(),
    missing: z.number().optional().describe('By how much the limit would have to be raised, at least'),
    unit: z.enum(['tokens', 'cost']).optional(),
    instance: z.string().describe('Names the request, as in the log'),
  })
  .meta({ id: 'Problem' });

/** The problems an operation may be answered with, by status; each says which codes it may have. */
export function problemAnswers({ path }: DocumentedRoute, operation: Operation, schemas: Schemas) {
  const always = ALWAYS.flatMap(([applies, codes]): readonly FaultCode[] => (applies(operation, path) ? codes : []));
  const codes = [...new Set<FaultCode>([...(operation.faults ?? []), ...always])];
  const statuses = [...new Set(codes.map((code) => FAULTS[code].http))].sort((a, b) => a - b);
  return Object.fromEntries(
    statuses.map((status) => {
      const ofStatus = codes.filter((code) => FAULTS[code].http === status).sort();
      const description = ofStatus.map((code) => `\`${code}\`: ${FAULTS[code].title}`).join('. ');
      const headers = ofStatus.flatMap((code) => HEADERS[code] ?? []);
      const schema = { allOf: [schemas.output(problemSchema), { properties: { code: { enum: ofStatus } } }] };
      const content = { 'application/problem+json': { schema } };
      return [status, { ...answerObject({ description, headers }, schemas), content }];
    }),
  );
}
