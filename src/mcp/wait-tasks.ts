import { ProtocolError, ProtocolErrorCode, type ServerContext } from '@modelcontextprotocol/server';
import { asFault, FAULTS, type FaultCode } from '../faults.ts';
import type { PlanStatus } from '../plan/lifecycle.ts';
import type { Answer } from '../plan/questions.ts';
import { type Caller, mayDo } from '../service/caller.ts';
import type { ReadPlan } from '../service/read-plan.ts';
import type { PlanService } from '../service/service.ts';
import type { Access } from './access.ts';
import { answerOf, type Elicitation, elicitationOf } from './elicitation.ts';
import type { SettledWaits } from './settled-waits.ts';
import { statusAnswer } from './status-answer.ts';
import { clientCapabilities, type Task, type TaskMethods, unknownTask } from './tasks-extension.ts';
import type { Call } from './tool.ts';
import { SOMETHING_INSIDE, told } from './tool-result.ts';
import { progressText, type Until, type Waited, whyOver } from './wait-for-plan.ts';
import { type WaitTask, waitTaskId, waitTaskOf } from './wait-task-id.ts';

/** Readers of a plan share what they read, so that many who poll cost little. */
const POLL_MS = 2_000;

/** Lets a wait go on as a task; undefined where there is something to tell at once. */
export async function beginWait(
  { service, caller }: Pick<Call, 'service' | 'caller'>,
  planId: string,
  until: Until,
  seconds: number | undefined,
): Promise<Task | undefined> {
  const view = await service.read(caller, planId);
  if (whyOver(view, until)) return undefined;
  const created_at = Date.now();
  const deadline_at = seconds === undefined ? null : created_at + Math.round(seconds * 1_000);
  const wait = { plan_id: view.plan_id, run: view.run, until, created_at, deadline_at };
  return { ...aboutOf(waitTaskId(wait), wait, view), status: 'working' };
}

/** Waits for plans, as tasks: each call reads the plan, and so works on every engine and after every restart. */
export function waitTasks(access: Access, settled: SettledWaits): TaskMethods {
  async function using<T>(method: string, taskId: string, work: (held: Held) => Promise<T>): Promise<T> {
    const wait = waitTaskOf(taskId);
    if (!wait) throw unknownTask(taskId);
    try {
      return await access.use(async (service, caller, api) => {
        const as = { ...caller, trigger: `mcp ${method}` };
        const view = await service.read(as, wait.plan_id);
        return await work({ service, caller: as, api, wait, view });
      });
    } catch (error) {
      throw protocolErrorOf(access, taskId, error);
    }
  }

  return {
    get: (taskId, ctx) =>
      using('tasks/get', taskId, async ({ wait, view, ...held }) => {
        const about = aboutOf(taskId, wait, view);
        const how = settled.get(taskId);
        if (how === 'cancelled')
          return { ...about, status: 'cancelled', statusMessage: 'The waiting was cancelled; the plan goes on.' };
        const waited = whyWaited(wait, view) ?? how;
        if (!waited) return { ...about, status: 'working' };
        if (waited === 'needs_attention' && how === undefined) {
          const inputRequests = isLate(wait) ? undefined : requestsOf(view, held.caller, ctx);
          if (inputRequests) return { ...about, status: 'input_required', inputRequests };
          settled.settle(taskId, waited);
        }
        const { body, links = [] } = await statusAnswer(held, view);
        return { ...about, status: 'completed', result: told({ body: { ...body, waited }, links }) };
      }),

    update: (taskId, inputResponses) =>
      using('tasks/update', taskId, async ({ service, caller, wait, view }) => {
        if (settled.get(taskId) !== undefined || view.run > wait.run) return;
        for (const question of view.questions) {
          if (!Object.hasOwn(inputResponses, question.id)) continue;
          const given = answerOf(question, inputResponses[question.id]);
          if (given) await answer(service, caller, wait.plan_id, question.id, given);
          else settled.settle(taskId, 'needs_attention');
        }
      }),

    cancel: (taskId) =>
      using('tasks/cancel', taskId, async ({ wait, view }) => {
        const waited = whyWaited(wait, view);
        if (waited === undefined || waited === 'needs_attention') settled.settle(taskId, 'cancelled');
      }),
  };
}

interface Held {
  service: PlanService;
  caller: Caller;
  api: string | undefined;
  wait: WaitTask;
  view: ReadPlan;
}

function aboutOf(taskId: string, { created_at }: WaitTask, view: ReadPlan) {
  const updated = Math.max(created_at, Date.parse(view.updated_at));
  return {
    taskId,
    statusMessage: progressText(view),
    createdAt: new Date(created_at).toISOString(),
    lastUpdatedAt: new Date(updated).toISOString(),
    ttlMs: null,
    pollIntervalMs: POLL_MS,
  };
}

const isLate = ({ deadline_at }: WaitTask) => deadline_at !== null && Date.now() >= deadline_at;

function whyWaited(wait: WaitTask, view: ReadPlan): Waited | undefined {
  if (view.run > wait.run) return 'next_run';
  return whyOver(view, wait.until) ?? (isLate(wait) ? 'timeout' : undefined);
}

/** What the client is to ask its user; undefined where it has to be left to whoever called, and to `plan_answer`. */
function requestsOf({ state, questions }: ReadPlan, caller: Caller, ctx: ServerContext) {
  const elicitation = clientCapabilities(ctx)?.elicitation;
  const showsForms = elicitation !== undefined && (elicitation.form !== undefined || elicitation.url === undefined);
  if (!showsForms || !mayDo(caller, 'plan:approve') || HELD.includes(state.status)) return undefined;
  const requests: Record<string, Elicitation> = {};
  for (const question of questions) {
    const elicitation = elicitationOf(question);
    if (!elicitation) return undefined;
    requests[question.id] = elicitation;
  }
  return questions.length > 0 && questions.length <= MOST_ASKED ? requests : undefined;
}
/** A user is not asked more at a time. */
const MOST_ASKED = 20;
/** An answer alone does not let these go on. */
const HELD: readonly PlanStatus[] = ['paused', 'pending_review'];

async function answer(service: PlanService, caller: Caller, planId: string, question: string, given: Answer) {
  try {
    await service.command(caller, planId, 'answer', { question, ...given });
  } catch (error) {
    // Somebody else was first.
    if (!LATE.includes(asFault(error).code)) throw error;
  }
}
const LATE: readonly FaultCode[] = ['QUESTION_CLOSED', 'QUESTION_NOT_FOUND', 'PLAN_INVALID_STATE'];

function protocolErrorOf(access: Access, taskId: string, error: unknown): unknown {
  if (error instanceof ProtocolError) return error;
  const fault = asFault(error);
  const { code, message } = fault;
  if (FAULTS[code].exit === FAULTS.PLAN_NOT_FOUND.exit) return unknownTask(taskId, `: ${message}`);
  if (code !== 'INTERNAL')
    return new ProtocolError(
      FAULTS[code].http === FAULTS.ANSWER_INVALID.http
        ? ProtocolErrorCode.InvalidParams
        : ProtocolErrorCode.InternalError,
      message,
      { code },
    );
  access.onInternal(fault.cause ?? fault);
  return new ProtocolError(ProtocolErrorCode.InternalError, SOMETHING_INSIDE);
}
