import { useQuery } from '@tanstack/react-query';
import type { Plan } from '../../api/types.ts';
import { storyQuery } from '../../live/story.ts';

/** How the present run began, where the story that some view has read tells it. */
export function useRunMode({ plan_id, run }: Plan): 'resume' | 'retry' | undefined {
  const { data } = useQuery({
    ...storyQuery(plan_id),
    enabled: false,
    select: ({ entries }) => {
      for (const entry of entries) {
        if (entry.type !== 'RunStarted') continue;
        const { run: began, mode } = (entry.details ?? {}) as { run?: number; mode?: 'resume' | 'retry' };
        if (began === run) return mode ?? null;
      }
      return null;
    },
  });
  return data ?? undefined;
}
