import { asFault, Fault } from '../faults.ts';
import { isTerminal } from '../plan/lifecycle.ts';
import { type Caller, mustHave } from './caller.ts';
import { mustBePlanId } from './ids.ts';
import type { RunPreview, RunRequest, RunStarted } from './next-run.ts';
import type { PlanService } from './service.ts';

export interface Lifted {
  plan_id: string;
  /** It was paused, and goes on in the run there is. */
  lifted: true;
}

/**
 * Lets a plan go on from wherever it stands still: of one that failed or was stopped, its next run; a pause is lifted. Throws
 * PLAN_NOT_RESUMABLE for one that is at work, waits, or completed; of several callers at once one wins.
 */
export async function goOn(
  service: PlanService,
  caller: Caller,
  planId: string,
  request: Asked,
): Promise<RunStarted | RunPreview | Lifted> {
  mustHave(caller, 'plan:read');
  const lift = () => liftPause(service, caller, planId, request.request_id);
  if (await hasLifted(service, caller, planId, request, lift)) return { plan_id: mustBePlanId(planId), lifted: true };
  try {
    return await service.nextRun(caller, planId, { ...request, mode: 'resume' });
  } catch (refused) {
    if (asFault(refused).code !== 'PLAN_NOT_RESUMABLE') throw refused;
    const { plan_id, state, pausing } = await service.read(caller, planId);
    const isPaused = state.status === 'paused' || pausing;
    // What has been lifted may have been asked for by this very request.
    if (!isPaused && (request.request_id === undefined || asksForMore(request))) throw refused;
    if (asksForMore(request))
      throw new Fault(
        'PLAN_NOT_RESUMABLE',
        'the plan is paused: resume it as it is, or stop it first and then resume it with what is to be different',
      );
    await lift().catch(isPaused ? notResumable : () => Promise.reject(refused));
    return { plan_id, lifted: true };
  }
}

type Asked = Omit<RunRequest, 'mode'>;

async function liftPause(service: PlanService, caller: Caller, planId: string, request_id: string | undefined) {
  await service.command(caller, planId, 'resume', request_id === undefined ? {} : { request_id });
}

/** Whether this very request lifted a pause of a plan that has ended since: it is not to start the next run besides. */
async function hasLifted(
  service: PlanService,
  caller: Caller,
  planId: string,
  request: Asked,
  lift: () => Promise<void>,
): Promise<boolean> {
  if (request.request_id === undefined || asksForMore(request)) return false;
  const { state } = await service.read(caller, planId);
  if (!isTerminal(state.status)) return false;
  try {
    // Of a plan that has ended a command does nothing, and answers what it came to before.
    await lift();
    return true;
  } catch (error) {
    if (asFault(error).code !== 'PLAN_INVALID_STATE') throw error;
    return false;
  }
}

const asksForMore = ({ plan, from, dry_run, model_profile }: Asked): boolean =>
  plan !== undefined || from !== undefined || dry_run === true || model_profile !== undefined;

/** Somebody else was faster. */
function notResumable(error: unknown): never {
  const fault = asFault(error);
  throw fault.code === 'PLAN_INVALID_STATE' ? new Fault('PLAN_NOT_RESUMABLE', fault.message, { cause: fault }) : fault;
}
