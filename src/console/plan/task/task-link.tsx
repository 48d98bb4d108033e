import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { planQuery } from '../../api/queries.ts';

const route = getRouteApi('/plans/$planId');

/** A task's id, which leads to the task where the plan shows it; what is inside a map or sub-plan that ended it does not. */
export function TaskLink({ task }: { task: string }) {
  const { planId } = route.useParams();
  const { data: isShown } = useQuery({
    ...planQuery(planId),
    enabled: false,
    select: ({ tasks }) => tasks.some(({ id }) => id === task),
  });
  if (!isShown) return <code>{task}</code>;
  return (
    <Link
      from="/plans/$planId"
      to="/plans/$planId"
      search={(old) => ({ ...old, task })}
      replace
      resetScroll={false}
      className="task-link"
    >
      <code>{task}</code>
    </Link>
  );
}
