import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { planQuery } from '../../api/queries.ts';

const route = getRouteApi('/plans/$planId');

const INSIDE = /[[/]/;

/** A task's id, which leads to the task where the plan shows it; what is inside a map, or was inside a sub-plan, to its log. */
export function TaskLink({ task }: { task: string }) {
  const { planId } = route.useParams();
  const { data: isShown } = useQuery({
    ...planQuery(planId),
    enabled: false,
    select: ({ tasks }) => tasks.some(({ id }) => id === task),
  });
  const isInside = isShown === false && INSIDE.test(task);
  if (!isShown && !isInside) return <code>{task}</code>;
  return (
    <Link
      from="/plans/$planId"
      to="/plans/$planId"
      search={(old) => ({ ...old, task, ...(isInside && { view: 'logs' as const }) })}
      replace
      resetScroll={false}
      className="task-link"
      title={isInside ? `The log of ${task}` : undefined}
    >
      <code>{task}</code>
    </Link>
  );
}
