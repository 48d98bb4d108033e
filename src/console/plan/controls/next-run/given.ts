import { useQuery } from '@tanstack/react-query';
import type { Plan } from '../../../api/types.ts';
import { fileQuery, type GivenInputs, givenQuery, type PlanFile } from '../../file/file-query.ts';

/** What the latest run went by. */
export interface Given extends GivenInputs {
  file: PlanFile;
}

export function useGiven(plan: Plan): { given: Given | undefined; error: Error | null; retry: () => void } {
  const file = useQuery(fileQuery(plan));
  const inputs = useQuery(givenQuery(plan));
  return {
    given: file.data && inputs.data && { file: file.data, ...inputs.data },
    error: file.error ?? inputs.error,
    retry: () => void Promise.all([file.refetch(), inputs.refetch()]),
  };
}
