import { useMemo } from 'react';
import type { Plan } from '../../api/types.ts';
import { useStory } from '../../live/use-story.ts';
import { failedIn } from '../logs/first-shown.ts';
import { TaskLink } from './task-link.tsx';

/** More are among the events. */
const SHOWN = 5;

/** Which items of a map failed, as far as the story that was read tells, each with a way to its log. */
export function FailedItems({ plan, map }: { plan: Plan; map: string }) {
  const { data: story } = useStory(plan);
  const failed = useMemo(() => failedIn(story?.entries ?? [], plan.run, map), [story, plan.run, map]);
  if (failed.length === 0) return null;
  const more = failed.length - SHOWN;
  return (
    <ul className="failed-items" aria-label="Failed items">
      {failed.slice(0, SHOWN).map((id) => (
        <li key={id}>
          <TaskLink task={id} />
        </li>
      ))}
      {more > 0 && <li className="muted">and {more} more among the events</li>}
    </ul>
  );
}
