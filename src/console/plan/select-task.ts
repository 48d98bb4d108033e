import { getRouteApi } from '@tanstack/react-router';

const route = getRouteApi('/plans/$planId');

/** The task that is looked at, which the page's address says, and how to look at another, or at none. */
export function useSelectedTask(): [string | undefined, (task: string | undefined) => void] {
  const { task } = route.useSearch();
  const navigate = route.useNavigate();
  return [
    task,
    (id) =>
      void navigate({
        search: ({ task: _, ...rest }) => (id === undefined ? rest : { ...rest, task: id }),
        replace: true,
      }),
  ];
}
