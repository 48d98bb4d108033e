import { X } from 'lucide-react';
import type { Plan, Task } from '../../api/types.ts';
import { Badge, TaskBadge } from '../../ui/badge.tsx';
import { HELD_BADGE, REUSED_BADGE } from '../../ui/badges.ts';
import { plainText } from '../../ui/plain-text.ts';
import { Clock } from '../../ui/times.tsx';
import { isHeld, isHoldable } from '../graph/hold.ts';
import { HoldButton } from '../graph/hold-button.tsx';
import { AttemptList } from './attempt-list.tsx';
import { LogTail } from './log-tail.tsx';
import { Outputs } from './outputs.tsx';
import { TaskFacts } from './task-facts.tsx';
import { usePanel } from './use-panel.ts';
import './task-panel.css';

/** One task beside the view: how it stands, what it tried, gave and wrote. */
export function TaskPanel({ plan, task }: { plan: Plan; task: Task }) {
  const { panel, close } = usePanel(task.id);
  return (
    <aside ref={panel} className="card task-panel" aria-label={`Task ${task.id}`} tabIndex={-1}>
      <header className="task-panel-head">
        <h2>{task.id}</h2>
        <button type="button" className="button" data-look="quiet" aria-label="Close the task" onClick={close}>
          <X aria-hidden size={18} />
        </button>
      </header>
      <div className="row">
        <TaskBadge status={task.status} />
        {isHeld(task) && <Badge look={HELD_BADGE} />}
        {task.reused && <Badge look={REUSED_BADGE} title="An earlier run finished it" />}
        {isHoldable(task) && <HoldButton plan={plan} task={task} />}
      </div>
      <TaskFacts plan={plan} task={task} />
      <TaskError task={task} />
      <AnswerGiven task={task} />
      <Outputs plan={plan} task={task} />
      <AttemptList plan={plan} task={task} />
      <LogTail plan={plan} task={task} />
    </aside>
  );
}

function TaskError({ task: { error } }: { task: Task }) {
  if (!error) return null;
  return (
    <section>
      <h3>Error</h3>
      <p className="task-error" data-tone="red">
        {plainText(error.message)} <code>{error.code}</code>
      </p>
      {error.details !== undefined && error.details !== null && (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reached by keyboard.
        <pre className="block" tabIndex={0}>
          {plainText(JSON.stringify(error.details, null, 2))}
        </pre>
      )}
    </section>
  );
}

function AnswerGiven({ task: { answer } }: { task: Task }) {
  if (!answer) return null;
  const { choice, values, comment, by, at } = answer;
  return (
    <section>
      <h3>Answer</h3>
      <p>
        {choice !== undefined && <strong>{plainText(choice)} </strong>}by {plainText(by)} at <Clock at={at} />
      </p>
      {comment !== undefined && <q className="task-comment">{plainText(comment)}</q>}
      {values !== undefined && (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reached by keyboard.
        <pre className="block" tabIndex={0}>
          {plainText(JSON.stringify(values, null, 2))}
        </pre>
      )}
    </section>
  );
}
