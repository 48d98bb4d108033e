import { v4 as uuidv4 } from 'uuid';
import { executeId } from '../../contract/names.ts';
import type { Place } from '../../contract/payloads.ts';
import { Fault } from '../../faults.ts';
import type { Review } from '../../program/review.ts';
import { type Caller, mustHave } from '../caller.ts';
import { operationPlanId } from '../ids.ts';
import { type Answer, dryRunAnswer } from './answer.ts';
import { continuation } from './continuation.ts';
import { checkToken, tokenOf } from './handles.ts';
import { inBackground, inForeground, type Running } from './operate.ts';
import type { SessionName } from './parts.ts';
import { prepare } from './prepare.ts';
import type { SessionKey } from './session.ts';

export interface RunProgramRequest extends SessionName {
  /** A program, a continuation such as wait(s0_o1), or the text of a plan file. */
  program: string;
  /** `plan`: a dry run; nothing is read. */
  mode?: 'plan' | 'run' | undefined;
  /** False: in the background. Left out, what is expensive goes there by itself. */
  wait?: boolean | undefined;
  /** Whatever the review says. */
  force?: boolean | undefined;
  /** The token of a dry run of the same program. */
  plan_commit_ref?: string | undefined;
  /** The caller's own; the same again is the same run. */
  request_id?: string | undefined;
  /** Where commands of a plan file would run. */
  place: Place;
}

/** Pages that have yet to be read need what running does, besides. */
const NEEDS = { run: 'plan:create', wait: 'plan:read', page: 'plan:read', cancel: 'plan:approve' } as const;

/** Runs a program, tells what it would do, or goes on with something that was run before. */
export async function runProgram(running: Running, caller: Caller, request: RunProgramRequest): Promise<Answer> {
  const { parts, catalogs, sessions } = running;
  const parsed = await parts.reader.parse(caller.principal.org_id, request.program);
  mustHave(caller, NEEDS[parsed.kind === 'continuation' ? parsed.verb : 'run']);
  const key = keyOf(caller, request);
  const catalog = await catalogs.read(key.org_id, key.prompt_hash);
  sessions.touch(key);
  if (parsed.kind === 'continuation') {
    if (request.mode === 'plan')
      throw new Fault(
        'PROGRAM_INVALID',
        `${parsed.verb}(${parsed.handle}) goes on with what was run and has no dry run: leave out mode=plan (--mode plan; over MCP, call plasm_run)`,
      );
    return await continuation(running, caller, key, parsed);
  }
  const { program: text, place } = request;
  const prepared = await prepare(parts.reader, key, catalog, parsed, { text, place });
  const { compiled, review, commit_id } = prepared;
  if (request.mode === 'plan') {
    const { dry_verdict: verdict, expensive } = review;
    const token = tokenOf(await sessions.commit(key, { commit_id, verdict, expensive }));
    return dryRunAnswer(compiled, review, { commit_id, token });
  }
  const token = request.plan_commit_ref;
  if (token !== undefined) await checkToken(sessions, key, token, commit_id, parts.settings.commitTtlMs);
  else if (review.dry_verdict === 'review' && request.force !== true) throw reviewRequired(review);
  const operation = { ...prepared.operation(), plan_id: planIdOf(key, request.request_id) };
  const { wait, request_id } = request;
  const auto = wait === undefined && review.expensive;
  if (wait === false || auto) return await inBackground(running, caller, key, operation, { token, auto, request_id });
  return await inForeground(running, caller, key, operation, { token, request_id });
}

const LONGEST_NAME = 150;

export function keyOf({ principal: { org_id } }: Caller, { prompt_hash, surface, session }: SessionName): SessionKey {
  const fits = session.length > 0 && session.length <= LONGEST_NAME && !/[\p{Cc}\p{Cs}]/u.test(session);
  if (!fits)
    throw new Fault(
      'REQUEST_INVALID',
      `session: give a name of 1 to ${LONGEST_NAME} characters, none of them a control character`,
    );
  return { org_id, prompt_hash, surface, session };
}

function planIdOf({ org_id, prompt_hash, surface, session }: SessionKey, requestId: string | undefined): string {
  if (requestId === undefined) return uuidv4();
  return operationPlanId(executeId(org_id, prompt_hash, surface, session), requestId);
}

const reviewRequired = ({ reasons, estimated_calls: { least, most } }: Review): Fault => {
  const calls = `it would ask its sources ${most === null ? `${least === 1 ? 'once' : `${least} times`} or more, nobody knows how often` : `${least} to ${most} times`}`;
  return new Fault(
    'REVIEW_REQUIRED',
    `this program has to be reviewed first: ${reasons.join('; ')}; ${calls}. Dry-run it with mode=plan (--mode plan; ` +
      'over MCP, call plasm) and run it with the plan_commit_ref that gives, or run it with force=true (--force)',
    { errors: reasons.map((message) => ({ message, path: [] })) },
  );
};
