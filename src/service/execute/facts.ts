import type { Surface, Verdict } from '../../plan/execute-session.ts';

/** In the memo of a plan that runs a program: whose operation it is, and where its rows are. */
export interface OperationFacts {
  prompt_hash: string;
  surface: Surface;
  session: string;
  /** Hash of what it does. */
  commit_id: string;
  verdict: Verdict;
  /** How many steps it has; of a program their ids, which are those of its tasks, in order. */
  total: number;
  steps: string[];
  /** Steps whose rows are the result, in order; of a plan file none: its rows are its tasks. */
  returns: ReturnFacts[];
}

export interface ReturnFacts {
  node: string;
  label: string;
  /** Of rows that are asked for page by page. */
  page_size?: number;
}

export const isPlanFile = ({ returns }: OperationFacts): boolean => returns.length === 0;
