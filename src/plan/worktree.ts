/** The Git worktree of a plan: made before its first command, and made again from its branch when it is gone. */
export interface Worktree {
  /** Absolute path of the repository's main checkout. */
  repository: string;
  /** Absolute path of the worktree. */
  path: string;
  branch: string;
  /** The commit that the branch began from. */
  base: string;
}
