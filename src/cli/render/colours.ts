import type { Colors } from 'picocolors/types.js';
import type { PlanStatus } from '../../plan/lifecycle.ts';
import type { TaskStatus } from '../../plan/state.ts';

type Colour = 'green' | 'red' | 'yellow' | 'cyan' | 'magenta' | 'dim' | 'reset';

/** A state's colour, the same wherever it is shown. */
export const STATE_COLOURS: Record<PlanStatus | TaskStatus, Colour> = {
  pending_review: 'magenta',
  stand_by: 'cyan',
  awaiting_input: 'magenta',
  executing: 'cyan',
  paused: 'yellow',
  completed: 'green',
  failed: 'red',
  stopped: 'yellow',
  pending: 'dim',
  running: 'cyan',
  waiting: 'magenta',
  backing_off: 'yellow',
  succeeded: 'green',
  skipped: 'dim',
  cancelled: 'yellow',
};

export const coloured = (status: PlanStatus | TaskStatus, colours: Colors, text: string = status): string =>
  colours[STATE_COLOURS[status]](text);
