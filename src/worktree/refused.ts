/** A worktree cannot be used, for a reason that only people can mend: what, where, and what to do. */
export class WorktreeRefused extends Error {
  override readonly name = 'WorktreeRefused';
}
