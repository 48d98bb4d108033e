import { useQuery } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import type { Plan } from '../../api/types.ts';
import { useStory } from '../../live/use-story.ts';
import { Failure } from '../../ui/failure.tsx';
import { useSelectedTask } from '../select-task.ts';
import { attemptsQuery } from './attempts-query.ts';
import { firstShown } from './first-shown.ts';
import { LogView } from './log-view.tsx';
import { choiceOf, WhichAttempt } from './which-attempt.tsx';
import { WhichTask } from './which-task.tsx';
import './logs.css';

/** What tasks write, as they write it. */
export default function LogsView({ plan }: { plan: Plan }) {
  const [selected, select] = useSelectedTask();
  const { data: story, isPending } = useStory(plan);
  const first = useMemo(() => firstShown(plan, story?.entries ?? []), [plan, story]);
  // What failed in a map is known by its story.
  const isKnown = !isPending || !plan.error;
  const task = selected ?? (isKnown ? first.task : undefined);
  const [chosen, setChosen] = useState<{ task: string | undefined; name: string | undefined }>();
  const name = chosen?.task === task ? chosen?.name : undefined;
  const { data: attempts, error, refetch } = useQuery(attemptsQuery(plan, task));
  return (
    <section className="stack logs" aria-label="Logs">
      <div className="row">
        <WhichTask plan={plan} chosen={selected} onChoose={select} first={first} />
        {attempts && attempts.length > 0 && (
          <WhichAttempt attempts={attempts} chosen={name} onChoose={(next) => setChosen({ task, name: next })} />
        )}
      </div>
      {error && !attempts && <Failure error={error} retry={() => void refetch()} />}
      {task === undefined && isKnown && <p className="empty">Nothing that writes is at work. Choose a task.</p>}
      {task !== undefined && attempts && (
        <LogView plan={plan} task={task} choice={choiceOf(attempts, name, plan.run)} isNone={attempts.length === 0} />
      )}
    </section>
  );
}
