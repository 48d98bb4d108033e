import { type LucideIcon, Pause, Play, Square } from 'lucide-react';
import type { PlanStatus } from '../../../plan/lifecycle.ts';

/** What can be done to many plans at once. */
export const BULK_ACTIONS = ['pause', 'resume', 'stop'] as const;
export type BulkAction = (typeof BULK_ACTIONS)[number];

interface Words {
  words: string;
  icon: LucideIcon;
  look: 'primary' | 'danger';
  /** Of plans: `3 plans will be …`, `3 plans …`. */
  will: string;
  done: string;
  /** Read before it is done. */
  means: string;
}

export const BULK_WORDS: Record<BulkAction, Words> = {
  pause: {
    words: 'Pause',
    icon: Pause,
    look: 'primary',
    will: 'will be paused',
    done: 'paused',
    means: 'Nothing new starts in a paused plan until somebody resumes it.',
  },
  resume: {
    words: 'Resume',
    icon: Play,
    look: 'primary',
    will: 'will be resumed',
    done: 'resumed',
    means: 'They go on where they were paused. What waits for its start time starts at once.',
  },
  stop: {
    words: 'Stop',
    icon: Square,
    look: 'danger',
    will: 'will be stopped for ever',
    done: 'stopped',
    means:
      'This cannot be undone: what runs is ended at once, and a stopped plan is stopped for ever. Only a next run can take up what it has finished.',
  },
};

type Standing = PlanStatus | 'pausing' | 'stopping';
const ENDED: Partial<Record<Standing, string>> = {
  completed: 'completed already',
  failed: 'failed already',
  stopped: 'stopped already',
  stopping: 'being stopped already',
};
const NOT_PAUSED = 'not paused';

/** Why a command is not for plans that stand so: they are … */
export const BULK_REFUSALS: Record<BulkAction, Partial<Record<Standing, string>>> = {
  pause: {
    ...ENDED,
    pending_review: 'in review: nothing of them runs yet',
    paused: 'paused already',
    pausing: 'being paused already',
  },
  resume: {
    ...ENDED,
    pending_review: NOT_PAUSED,
    stand_by: NOT_PAUSED,
    awaiting_input: NOT_PAUSED,
    executing: NOT_PAUSED,
  },
  stop: ENDED,
};
