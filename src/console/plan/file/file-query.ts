import { queryOptions } from '@tanstack/react-query';
import { answer, call, planPath } from '../../api/client.ts';
import type { Plan } from '../../api/types.ts';

export interface PlanFile {
  text: string;
  /** A text that was too long to be kept: this is what it was read as. */
  isRewritten: boolean;
}

export interface GivenInputs {
  /** With the defaults of the file. */
  inputs: Record<string, unknown>;
  /** Names of those that somebody gave. */
  given: string[];
}

/** Of the latest run: another may have another file. */
export const fileQuery = ({ plan_id, run }: Plan) =>
  queryOptions({
    queryKey: ['plan-file', plan_id, run],
    queryFn: async ({ signal }): Promise<PlanFile> => {
      const response = await answer('GET', planPath(plan_id, '/file'), { accept: 'text/yaml', signal });
      const isRewritten = response.headers.get('holdpoint-plan-file') === 'rewritten';
      return { text: await response.text(), isRewritten };
    },
    staleTime: Infinity,
  });

export const givenQuery = ({ plan_id, run }: Plan) =>
  queryOptions({
    queryKey: ['plan-inputs', plan_id, run],
    queryFn: ({ signal }) => call<GivenInputs>('GET', planPath(plan_id, '/inputs'), { signal }),
    staleTime: Infinity,
  });
