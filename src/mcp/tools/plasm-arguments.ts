import { z } from 'zod';
import type { Caller } from '../../service/caller.ts';
import { catalogMeant } from '../../service/execute/catalog-meant.ts';
import type { SessionName } from '../../service/execute/parts.ts';
import type { PlanService } from '../../service/service.ts';

/** Of callers that name none. */
export const SESSION = 'default';

/** Both tools take the same, so that a dry run becomes a run by the name of the tool alone. */
export const programArguments = z.strictObject({
  program: z.string().describe('A program, a continuation such as wait(s1_o1), or the text of a plan file'),
  prompt_hash: z
    .string()
    .optional()
    .describe('Which catalog: what plasm_catalogs gives. May be left out where there is one only'),
  session: z
    .string()
    .optional()
    .describe(`Whose handles and tokens: a name of your own, the same in every call; "${SESSION}" unless said`),
  wait: z
    .boolean()
    .optional()
    .describe(
      'false: in the background, answered at once with a handle. Left out, what is expensive goes there by itself',
    ),
  force: z.boolean().optional().describe('true: run it whatever its review says'),
  plan_commit_ref: z
    .string()
    .optional()
    .describe('The token, such as pc0, of a dry run of the same program in this session: accepts its review'),
});

/** Which session is meant; where no catalog is named, of the only one. */
export async function sessionMeant(
  { execute }: PlanService,
  caller: Caller,
  { prompt_hash, session = SESSION }: { prompt_hash?: string | undefined; session?: string | undefined },
): Promise<SessionName> {
  return { prompt_hash: await catalogMeant(execute, caller, prompt_hash), session, surface: 'mcp' };
}
