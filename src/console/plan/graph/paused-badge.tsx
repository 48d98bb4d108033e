import { Pause } from 'lucide-react';
import type { Standing } from './hold.ts';

/** Document 1's orange pill on the graph of a plan that is paused. */
export function PausedBadge({ plan: { state, pausing } }: { plan: Pick<Standing, 'state' | 'pausing'> }) {
  if (state.status === 'paused')
    return (
      <span className="badge paused-badge" data-tone="orange">
        <span aria-hidden>⏸{'\uFE0E'}</span> Paused
      </span>
    );
  if (!pausing) return null;
  return (
    <span className="badge paused-badge" data-tone="orange">
      <Pause aria-hidden size={14} /> Pausing: what runs ends first
    </span>
  );
}
