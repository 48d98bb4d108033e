import { createHash } from 'node:crypto';
import { type Client, WorkflowNotFoundError } from '@temporalio/client';
import { v4 as uuidv4 } from 'uuid';
import { childId, QUERIES, workflowId } from '../contract/names.ts';
import { PayloadTooLarge, payload } from '../contract/payload-size.ts';
import type { CommandInput } from '../contract/payloads.ts';
import { Fault } from '../faults.ts';
import { canonical } from '../plan/fingerprint.ts';
import type { Json } from '../plan/json.ts';
import type { BudgetChange } from '../plan/ledger.ts';
import { COMMANDS, type CommandName } from '../plan/lifecycle.ts';
import { OUTCOMES_KEPT, type Outcome } from '../plan/outcome.ts';
import type { AnswerRecord } from '../plan/state.ts';
import type { PlanView } from '../plan/view.ts';
import { type Caller, mustHave } from './caller.ts';
import { answerOfClosed } from './closed-question.ts';
import { commandSent } from './command-sent.ts';
import { describePlan } from './described.ts';
import { mustBePlanId } from './ids.ts';
import { mustBeWithinLimits, setBudget } from './limits.ts';
import { ask, NO_ANSWER, NOT_FOUND, REPLAY_PATIENCE } from './queries.ts';
import { workerAnswers } from './readiness.ts';
import { mustTakeValues } from './takes-values.ts';

export interface CommandRequest
  extends Pick<
    CommandInput,
    'strict' | 'interrupt' | 'reason' | 'question' | 'task' | 'choice' | 'values' | 'comment'
  > {
  /** Resume only: what the plan may spend from now on. */
  budget?: BudgetChange;
  /** The caller's own; the same again does nothing and answers the same. */
  request_id?: string;
}

export interface CommandAnswer {
  request_id: string;
  /** `accepted`: takes effect at the next task boundary; `pending`: sent and kept, but no worker has answered yet. */
  result: 'done' | 'accepted' | 'pending';
  record?: AnswerRecord;
}

/** Somebody asks again later anyway. */
const OUTCOME_PATIENCE = { deadlineMs: 400, totalMs: 600, settled: true } as const;
const CLOSED_PATIENCE = { ...REPLAY_PATIENCE, settled: true } as const;

/** Sends a command as a Signal and reads its outcome back; a refusal is thrown as its fault. */
export async function commandPlan(
  client: Client,
  caller: Caller,
  planId: string,
  name: CommandName,
  request: CommandRequest = {},
): Promise<CommandAnswer> {
  mustHave(caller, 'plan:approve');
  const plan_id = mustBePlanId(planId);
  const { request_id = uuidv4(), budget, ...rest } = request;
  // It stands in addresses, where half a character cannot be written.
  if (/\p{Cs}/u.test(request_id)) throw new Fault('REQUEST_INVALID', 'request_id: is not well-formed Unicode text');
  const id = workflowId(caller.principal.org_id, plan_id);
  const about = markOf(rest);
  const input = { schema_version: 1 as const, request_id, actor: caller.principal, at: Date.now(), about, ...rest };
  const known = request.request_id !== undefined;
  if (name === 'resume') {
    const before = await resumable(client, caller, { id, plan_id, request_id, known, budget });
    if (before) return before;
  }
  if (name === 'answer' && rest.question !== undefined)
    await mustTakeValues(client, { org_id: caller.principal.org_id, plan_id }, rest.question, rest);
  return await sendCommand(client, { id, plan_id, name, known }, sendable(name, input));
}

interface ToResume {
  id: string;
  plan_id: string;
  request_id: string;
  known: boolean;
  budget: BudgetChange | undefined;
}

/** A plan that a limit holds is not let on before that was raised; what became of the same request before still holds. */
async function resumable(
  client: Client,
  caller: Caller,
  { id, plan_id, request_id, known, budget }: ToResume,
): Promise<CommandAnswer | undefined> {
  if (budget) await setBudget(client, caller, plan_id, budget);
  const view = await ask<PlanView>(client, { id }, QUERIES.status, { from: 0, limit: 0 }, OUTCOME_PATIENCE);
  if (view === NO_ANSWER || view === NOT_FOUND || view.hold?.reason !== 'cost_limit') return undefined;
  const before = known ? await findOutcome(client, id, request_id) : undefined;
  if (before) return answerOf(before);
  await mustBeWithinLimits(client, caller, view);
  return undefined;
}

interface Addressed {
  /** Workflow Id of the plan, or of the child that decides. */
  id: string;
  plan_id: string;
  name: CommandName;
  /** The caller chose the request's id, so it may have been sent before. */
  known: boolean;
}

async function sendCommand(
  client: Client,
  to: Addressed,
  input: CommandInput & { request_id: string },
): Promise<CommandAnswer> {
  const { id, name } = to;
  const { request_id } = input;
  try {
    await client.workflow.getHandle(id).signal(name, input);
  } catch (error) {
    if (error instanceof WorkflowNotFoundError) return await onClosed(client, to, input);
    throw new Fault('ENGINE_UNAVAILABLE', `Temporal did not take the command: ${(error as Error).message}`, {
      cause: error,
    });
  }
  const outcome = await ask<Outcome>(client, { id }, QUERIES.controlOutcome, request_id);
  if (outcome === NO_ANSWER || outcome === NOT_FOUND) return { request_id, result: 'pending' };
  mustBeOf(outcome, name, input);
  if (outcome.to === undefined) return answerOf(outcome);
  // What it names is in a child workflow, which decides: a sub-plan, a batch of a map, or a segment.
  return await sendCommand(client, { ...to, id: childId(id, outcome.to) }, input);
}

function sendable<Input extends CommandInput>(name: CommandName, input: Input): Input {
  try {
    return payload(`the command ${name}`, input);
  } catch (error) {
    if (error instanceof PayloadTooLarge) throw new Fault('REQUEST_INVALID', error.message, { cause: error });
    throw error;
  }
}

/** The outcome of an earlier command; `pending` when no worker answers. Throws COMMAND_FORGOTTEN, and COMMAND_NOT_FOUND. */
export async function commandOutcome(
  client: Client,
  caller: Caller,
  planId: string,
  requestId: string,
): Promise<CommandAnswer> {
  mustHave(caller, 'plan:read');
  const plan_id = mustBePlanId(planId);
  const id = workflowId(caller.principal.org_id, plan_id);
  const { open } = await describePlan(client, id, plan_id);
  const outcome = await findOutcome(client, id, requestId);
  if (outcome) return answerOf(outcome);
  let sent = await commandSent(client, id, requestId);
  if (sent === undefined && open) {
    // What comes while a Workflow Task is under way is not in the history yet; a Query is answered after it.
    const answer = await ask(client, { id }, QUERIES.status, { from: 0, limit: 0 });
    if (answer === NO_ANSWER) return { request_id: requestId, result: 'pending' };
    sent = await commandSent(client, id, requestId);
  }
  if (sent === 'kept') return { request_id: requestId, result: 'pending' };
  const named = `"${requestId.slice(0, 200)}"`;
  if (sent === undefined) throw new Fault('COMMAND_NOT_FOUND', `no command ${named} was sent to this plan`);
  throw new Fault('COMMAND_FORGOTTEN', `the outcome of ${named} is no longer kept: ${OUTCOMES_KEPT} came after it`);
}

/** Follows a command to the child workflow that it was forwarded to. */
async function findOutcome(client: Client, id: string, requestId: string): Promise<Outcome | undefined> {
  const outcome = await ask<Outcome>(client, { id }, QUERIES.controlOutcome, requestId, OUTCOME_PATIENCE);
  if (outcome === NO_ANSWER || outcome === NOT_FOUND) return undefined;
  return outcome.to === undefined ? outcome : await findOutcome(client, childId(id, outcome.to), requestId);
}

/** One id for two commands: the second was not carried out, and must not be told that it was. */
function mustBeOf({ request_id, command, about }: Outcome, name: CommandName, asked: CommandInput): void {
  // Plans that an older Holdpoint began, and signals sent by hand, have no mark.
  const isSame = about === undefined || about === asked.about;
  if (command === name && isSame) return;
  const used = command === name ? `another ${name}` : command;
  throw new Fault(
    'REQUEST_INVALID',
    `request_id "${request_id}" was used for ${used} already; take a new one for ${command === name ? 'this' : name}`,
  );
}

/** The same for the same target and answer; who sends it, when, and with which comment, is no part of it. */
function markOf({ task, question, choice, values, strict, interrupt }: Omit<CommandRequest, 'request_id'>): string {
  const what = { task, question, choice, values, strict, interrupt } as Json;
  return createHash('sha256').update(canonical(what)).digest('base64url').slice(0, 16);
}

function answerOf({ request_id, result, code, message, record }: Outcome): CommandAnswer {
  if (result === 'forwarded') return { request_id, result: 'pending' };
  if (result === 'refused') throw new Fault(code ?? 'PLAN_INVALID_STATE', message ?? 'refused');
  return { request_id, result, ...(record && { record }) };
}

/** A closed plan takes no Signal; what an earlier command with this id came to, or an answer given before, still holds. */
async function onClosed(
  client: Client,
  to: Addressed,
  request: CommandInput & { request_id: string },
): Promise<CommandAnswer> {
  const { id, plan_id, name, known } = to;
  const { status, ended_outside } = await describePlan(client, id, plan_id);
  if (known && (await workerAnswers(client))) {
    const outcome = await ask<Outcome>(client, { id }, QUERIES.controlOutcome, request.request_id, CLOSED_PATIENCE);
    if (outcome !== NO_ANSWER && outcome !== NOT_FOUND) {
      mustBeOf(outcome, name, request);
      return answerOf(outcome);
    }
  }
  const how = ended_outside ? `${status}: ${ended_outside}` : status;
  const { question, request_id } = request;
  if (question !== undefined) {
    const choice = request.choice ?? (name === 'approve' ? 'approve' : undefined);
    return {
      request_id,
      result: 'done',
      record: await answerOfClosed(client, id, { ...request, question, choice }, how),
    };
  }
  throw new Fault('PLAN_INVALID_STATE', `cannot ${COMMANDS[name].verb} a plan that is ${how}`);
}
