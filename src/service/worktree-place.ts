import type { Place, Worktree } from '../contract/payloads.ts';
import { Fault } from '../faults.ts';
import { ensureWorktree, mustNotBeReplaced } from '../worktree/ensure.ts';
import { GitFailed } from '../worktree/git.ts';
import { freeName, originOf, placeIn } from '../worktree/origin.ts';
import { WorktreeRefused } from '../worktree/refused.ts';
import type { CreateRequest } from './create-plan.ts';

/** Where a plan of this id runs. */
export type PlaceOf = (planId: string) => Place;

/** Of a plan with a worktree: named by its session where it has one. Nothing is made but the names. */
export async function worktreePlace({ place, session }: CreateRequest, worktrees: string): Promise<PlaceOf> {
  return await told('REQUEST_INVALID', 'worktree: ', async () => {
    const origin = await originOf(place, worktrees);
    const name = session && (await freeName(origin, place, session.id));
    return (planId) => placeIn(origin, place, name ?? planId);
  });
}

/** A worktree that is gone is made again by its next command; what stands in its place is refused before anything runs. */
export async function mustBeUsable(worktree: Worktree, { env }: Place): Promise<void> {
  await told('PLAN_NOT_RESUMABLE', '', () => mustNotBeReplaced(worktree, { env }));
}

/** For what looks at its files: one that is gone is made again. */
export async function putBack(worktree: Worktree, { env }: Place): Promise<void> {
  await told('PLAN_NOT_RESUMABLE', '', () => ensureWorktree(worktree, { env }));
}

async function told<T>(code: 'REQUEST_INVALID' | 'PLAN_NOT_RESUMABLE', before: string, work: () => Promise<T>) {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof WorktreeRefused || error instanceof GitFailed)) throw error;
    throw new Fault(code, `${before}${error.message}`, { cause: error });
  }
}
