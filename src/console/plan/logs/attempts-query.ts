import { queryOptions } from '@tanstack/react-query';
import { call, taskPath } from '../../api/client.ts';
import type { AttemptLog, Plan } from '../../api/types.ts';

/** The logs that a task has left. They are asked for again whenever the task has moved. */
export const attemptsQuery = ({ plan_id, run, tasks, state }: Plan, task: string | undefined) => {
  const { status, attempt } = tasks.find(({ id }) => id === task) ?? { status: state.status, attempt: 0 };
  return queryOptions({
    queryKey: ['attempts', plan_id, task, run, status, attempt],
    queryFn: ({ signal }) =>
      call<{ attempts: AttemptLog[] }>('GET', taskPath(plan_id, task!, '/logs'), { signal }).then((it) => it.attempts),
    enabled: task !== undefined,
    placeholderData: (old, query) => (query?.queryKey[2] === task ? old : undefined),
  });
};
