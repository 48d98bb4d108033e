import { CircleX } from 'lucide-react';
import type { Plan } from '../../api/types.ts';
import { plainText } from '../../ui/plain-text.ts';
import { TaskButton } from './task-button.tsx';

/** Why a plan failed. */
export function PlanError({ error: { message, code, task } }: { error: NonNullable<Plan['error']> }) {
  return (
    <div className="plan-error" data-tone="red">
      <CircleX aria-hidden size={18} />
      <div>
        <p className="plan-error-message">{plainText(message)}</p>
        <p className="row">
          <code>{code}</code>
          {task !== undefined && (
            <span>
              Task <TaskButton id={task} />
            </span>
          )}
        </p>
      </div>
    </div>
  );
}
