import type { Place } from '../../contract/payloads.ts';
import { ensureWorktree } from '../../worktree/ensure.ts';
import { WorktreeRefused } from '../../worktree/refused.ts';
import { TaskFailure } from '../kind.ts';

/** Before any command: what is gone of a worktree is made again, and in what has replaced it nothing runs. */
export async function mustHaveWorktree({ worktree, env }: Place): Promise<void> {
  if (!worktree) return;
  await ensureWorktree(worktree, { env }).catch((error: unknown) => {
    if (error instanceof WorktreeRefused) throw new TaskFailure(error.message, { final: 'hopeless' });
    throw error;
  });
}
