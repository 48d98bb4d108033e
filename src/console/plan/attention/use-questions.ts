import { useState } from 'react';
import { isTerminal } from '../../../plan/lifecycle.ts';
import type { Plan, Question } from '../../api/types.ts';

export interface SeenQuestion {
  question: Question;
  /** Answered, expired or gone while the page was looking. */
  isClosed: boolean;
}

/**
 * The plan's questions, and those that were open while the page was looked at: one that is answered elsewhere does not vanish from
 * under the hands of somebody who fills it in. Gives also how to put a closed one away.
 */
export function useQuestions(plan: Plan): [SeenQuestion[], (id: string) => void] {
  const [seen, setSeen] = useState<readonly Question[]>(plan.questions);
  const open = new Map(plan.questions.map((question) => [question.id, question]));
  const known = new Set(seen.map(({ id }) => id));
  const fresh = plan.questions.filter(({ id }) => !known.has(id));
  if (fresh.length > 0) setSeen([...seen, ...fresh]);
  // While nobody answers for the plan its questions are not known, which does not mean that there are none.
  const isKnown = plan.freshness.live || isTerminal(plan.state.status) || plan.questions.length > 0;
  const all = [...seen, ...fresh].map((question) => {
    const now = open.get(question.id);
    return { question: now ?? question, isClosed: isKnown && !now };
  });
  return [all, (id) => setSeen(seen.filter((each) => each.id !== id))];
}
