import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { Plan } from '../../api/types.ts';
import { Failure } from '../../ui/failure.tsx';
import { useSelectedTask } from '../select-task.ts';
import { attemptsQuery } from './attempts-query.ts';
import { LogView } from './log-view.tsx';
import { choiceOf, WhichAttempt } from './which-attempt.tsx';
import { WhichTask } from './which-task.tsx';
import './logs.css';

/** What tasks write, as they write it. */
export default function LogsView({ plan }: { plan: Plan }) {
  const [selected, select] = useSelectedTask();
  const now = atWork(plan);
  const task = selected ?? now;
  const [chosen, setChosen] = useState<{ task: string | undefined; name: string | undefined }>();
  const name = chosen?.task === task ? chosen?.name : undefined;
  const { data: attempts, error, refetch } = useQuery(attemptsQuery(plan, task));
  return (
    <section className="stack logs" aria-label="Logs">
      <div className="row">
        <WhichTask plan={plan} chosen={selected} onChoose={select} now={now} />
        {attempts && attempts.length > 0 && (
          <WhichAttempt attempts={attempts} chosen={name} onChoose={(next) => setChosen({ task, name: next })} />
        )}
      </div>
      {error && !attempts && <Failure error={error} retry={() => void refetch()} />}
      {task === undefined && <p className="empty">Nothing is at work, and nothing has been yet. Choose a task.</p>}
      {task !== undefined && attempts && (
        <LogView plan={plan} task={task} choice={choiceOf(attempts, name, plan.run)} isNone={attempts.length === 0} />
      )}
    </section>
  );
}

/** The task that began last of those at work; when there is none, the one that failed, or ended last. */
function atWork({ current_task, error, tasks }: Plan): string | undefined {
  const failed = error?.task !== undefined && tasks.find(({ id }) => id === error.task)?.id;
  if (current_task ?? failed) return current_task ?? (failed || undefined);
  const ended = tasks.filter(({ started_at, kind }) => started_at !== undefined && !ASKS.includes(kind));
  return ended.toSorted((a, b) => Date.parse(a.started_at!) - Date.parse(b.started_at!)).at(-1)?.id;
}

/** Kinds that write nothing. */
const ASKS = ['approve', 'input', 'checkpoint', 'wait', 'set'];
