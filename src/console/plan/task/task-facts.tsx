import type { ReactNode } from 'react';
import type { Plan, Task } from '../../api/types.ts';
import { plainText } from '../../ui/plain-text.ts';
import { Ago, Clock, duration } from '../../ui/times.tsx';
import { taskUsage } from '../../usage/task-usage.ts';
import { Span } from './attempt-list.tsx';
import { FailedItems } from './failed-items.tsx';
import { TaskLink } from './task-link.tsx';

/** How a task stands, in words. */
export function TaskFacts({ plan, task }: { plan: Plan; task: Task }) {
  const { kind, attempt, max_attempts, needs, started_at, ended_at, due_at, handler, reason, items, iteration } = task;
  const waits = plan.waiting_for.filter((wait) => wait.task === task.id && wait.what !== 'release');
  return (
    <dl className="task-facts">
      <Fact name="Kind">
        <code>{kind}</code>
        {handler && ` of ${handler}`}
      </Fact>
      {max_attempts > 1 && (
        <Fact name="Attempts">
          {attempt} of {max_attempts}
        </Fact>
      )}
      {needs.length > 0 && (
        <Fact name="Needs">
          {needs.map((need, i) => (
            <span key={need}>
              {i > 0 && ', '}
              <TaskLink task={need} />
            </span>
          ))}
        </Fact>
      )}
      {started_at && (
        <Fact name="Began">
          <Clock at={started_at} />
        </Fact>
      )}
      {ended_at && (
        <Fact name="Ended">
          <Clock at={ended_at} />
        </Fact>
      )}
      {started_at && (ended_at || task.status === 'running') && (
        <Fact name="Took">
          <Span from={started_at} to={ended_at} />
        </Fact>
      )}
      {due_at && (
        <Fact name={task.status === 'backing_off' ? 'Tries again' : 'Goes on'}>
          <Ago at={due_at} />
        </Fact>
      )}
      {taskUsage(task).map(([name, words]) => (
        <Fact key={name} name={name}>
          {words}
        </Fact>
      ))}
      {items && (
        <Fact name="Items">
          {items.succeeded + items.failed + items.skipped} of {items.total}
          {items.failed > 0 && `, ${items.failed} failed`}
          {items.skipped > 0 && `, ${items.skipped} skipped`}
          {items.failed > 0 && <FailedItems plan={plan} map={task.id} />}
        </Fact>
      )}
      {iteration && (
        <Fact name="Is at">
          input {iteration.input} of {iteration.of} ({plainText(iteration.name)})
          {iteration.step !== undefined && `, step ${iteration.step} of ${iteration.steps}`}
        </Fact>
      )}
      {task.input && (
        <Fact name="Input">
          {plainText(task.input.name)} ({task.input.input} of {task.input.of})
        </Fact>
      )}
      {task.queued && <Fact name="Queued">No worker has taken it yet</Fact>}
      {task.silent_ms !== undefined && <Fact name="Silent">Has written nothing for {duration(task.silent_ms)}</Fact>}
      {reason !== undefined && <Fact name="Because">{plainText(reason)}</Fact>}
      {waits.map(({ text }) => (
        <Fact key={text} name="Waits">
          {plainText(text)}
        </Fact>
      ))}
      {task.hold && (
        <Fact name="Held">
          by {plainText(task.hold.by)}, <Ago at={task.hold.since} />
          {task.hold.comment !== undefined && <q className="task-comment">{plainText(task.hold.comment)}</q>}
        </Fact>
      )}
    </dl>
  );
}

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}
