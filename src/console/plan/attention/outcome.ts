import { useQuery } from '@tanstack/react-query';
import type { Plan, Event as PlanEvent, Question } from '../../api/types.ts';
import { storyQuery } from '../../live/story.ts';
import { plainText } from '../../ui/plain-text.ts';

/** What became of a question that is not open any more, in words. */
export function useOutcome(
  plan: Plan,
  question: Question,
  isClosed: boolean,
): { words: string; at?: string } | undefined {
  const { data: story } = useQuery({ ...storyQuery(plan.plan_id), enabled: isClosed });
  if (!isClosed) return undefined;
  const told = story?.entries.findLast(
    (entry): entry is PlanEvent =>
      (entry.type === 'QuestionAnswered' || entry.type === 'QuestionTimedOut') && entry.question === question.id,
  );
  if (told?.type === 'QuestionAnswered') return { words: answered(told), at: told.at };
  if (told) return { words: expired(told.message), at: told.at };
  return { words: otherwise(plan, question) };
}

function answered({ message, by, details }: PlanEvent): string {
  const { comment } = (details ?? {}) as { comment?: string };
  const what = message === undefined ? 'Answered' : `Answered “${message}”`;
  return plainText(`${what}${by === undefined ? '' : ` by ${by}`}${comment ? `: ${comment}` : ''}`);
}

function expired(outcome: string | undefined): string {
  if (outcome === 'fail') return 'Expired: nobody answered in time, and the task failed';
  if (outcome === 'reject') return 'Expired: nobody answered in time, which counts as “reject”';
  return `Expired: nobody answered in time, and “${plainText(outcome ?? '')}” was taken`;
}

function otherwise({ state, tasks, stopping }: Plan, { task: id }: Question): string {
  if (stopping || state.status === 'stopped') return 'Not open any more: the plan was stopped';
  const task = tasks.find((each) => each.id === id);
  const why = task?.reason ?? task?.error?.message;
  return why === undefined ? 'Not open any more' : `Not open any more: ${plainText(why)}`;
}
