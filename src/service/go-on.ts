import { asFault, Fault } from '../faults.ts';
import { type Caller, mustHave } from './caller.ts';
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
  request: Omit<RunRequest, 'mode'>,
): Promise<RunStarted | RunPreview | Lifted> {
  mustHave(caller, 'plan:read');
  try {
    return await service.nextRun(caller, planId, { ...request, mode: 'resume' });
  } catch (refused) {
    if (asFault(refused).code !== 'PLAN_NOT_RESUMABLE') throw refused;
    const { plan_id, state, pausing } = await service.read(caller, planId);
    if (state.status !== 'paused' && !pausing) throw refused;
    if (asksForMore(request))
      throw new Fault(
        'PLAN_NOT_RESUMABLE',
        'the plan is paused: resume it as it is, or stop it first and then resume it with what is to be different',
      );
    const { request_id } = request;
    await service
      .command(caller, plan_id, 'resume', request_id === undefined ? {} : { request_id })
      .catch(notResumable);
    return { plan_id, lifted: true };
  }
}

const asksForMore = ({ plan, from, dry_run, model_profile }: Omit<RunRequest, 'mode'>): boolean =>
  plan !== undefined || from !== undefined || dry_run === true || model_profile !== undefined;

/** Somebody else was faster. */
function notResumable(error: unknown): never {
  const fault = asFault(error);
  throw fault.code === 'PLAN_INVALID_STATE' ? new Fault('PLAN_NOT_RESUMABLE', fault.message, { cause: fault }) : fault;
}
