import type { AttemptInput } from '../../contract/payloads.ts';

/** Recorded environment, then that of files, the plan's and the task's, what was given at the start, secrets, then what says which attempt this is. */
export function environmentOf(
  input: AttemptInput,
  fromFiles: Record<string, string>,
  secrets: Record<string, string>,
): Record<string, string> {
  const { env, set, worktree } = input.place;
  return {
    ...env,
    ...fromFiles,
    ...input.env,
    ...set,
    ...secrets,
    HOLDPOINT_PLAN_ID: input.plan_id,
    HOLDPOINT_RUN: String(input.run),
    HOLDPOINT_TASK: input.task,
    HOLDPOINT_ATTEMPT: String(input.attempt),
    HOLDPOINT_IDEMPOTENCY_KEY: input.idempotency_key,
    ...(worktree && { HOLDPOINT_WORKTREE: worktree.path, HOLDPOINT_BRANCH: worktree.branch }),
  };
}
