import { queryOptions } from '@tanstack/react-query';
import { answer, call, planPath } from '../../../api/client.ts';

/** What the latest run went by. */
export interface Given {
  file: string;
  /** With the defaults of the file. */
  inputs: Record<string, unknown>;
  /** Names of those that somebody gave, which a next run keeps. */
  given: string[];
}

export const givenQuery = (planId: string, run: number) =>
  queryOptions({
    queryKey: ['given', planId, run],
    queryFn: async ({ signal }): Promise<Given> => {
      const [file, inputs] = await Promise.all([
        answer('GET', planPath(planId, '/file'), { accept: 'text/yaml', signal }).then((response) => response.text()),
        call<Omit<Given, 'file'>>('GET', planPath(planId, '/inputs'), { signal }),
      ]);
      return { file, ...inputs };
    },
    staleTime: Infinity,
  });
