import { LoaderCircle } from 'lucide-react';
import type { Plan } from '../../api/types.ts';
import { tasksInWords } from './words.ts';

/** What the plan is on its way to, beside its state. */
export function Transition({ plan: { stopping, pausing, current_tasks, state } }: { plan: Plan }) {
  const words = stopping
    ? 'Stopping: ends what runs'
    : pausing && state.status === 'executing'
      ? `Pausing: waits for ${tasksInWords(current_tasks.length, 'running ')}`
      : undefined;
  if (words === undefined) return null;
  return (
    <span className="badge" data-tone={stopping ? 'red' : 'orange'}>
      <LoaderCircle aria-hidden size={14} className="turning" />
      {words}
    </span>
  );
}
