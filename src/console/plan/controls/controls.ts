import { Check, FilePen, type LucideIcon, Pause, Play, RotateCcw, Square } from 'lucide-react';
import type { PlanStatus } from '../../../plan/lifecycle.ts';
import type { Plan } from '../../api/types.ts';
import type { Deed } from './refusal.ts';

export interface Control {
  words: string;
  icon: LucideIcon;
  look: 'plain' | 'primary' | 'danger';
  /** What it asks the API for, by which it is told whether it may be pressed. */
  deed: Deed;
  /** What it does, where the words alone do not say it. */
  title?: string;
}

export const CONTROLS = {
  approve: { words: 'Approve', icon: Check, look: 'primary', deed: 'approve', title: 'Lets the plan begin' },
  pause: { words: 'Pause', icon: Pause, look: 'plain', deed: 'pause' },
  drain: {
    words: 'Pause after what runs',
    icon: Pause,
    look: 'plain',
    deed: 'pause',
    title: 'Nothing new starts; what runs finishes, then the plan is paused',
  },
  resume: { words: 'Resume', icon: Play, look: 'primary', deed: 'resume' },
  stop: { words: 'Stop', icon: Square, look: 'danger', deed: 'stop', title: 'Stops the plan for ever' },
  resume_run: {
    words: 'Resume…',
    icon: Play,
    look: 'primary',
    deed: 'next_run',
    title: 'A next run, which keeps what is finished',
  },
  retry_run: {
    words: 'Retry…',
    icon: RotateCcw,
    look: 'plain',
    deed: 'next_run',
    title: 'A next run, which starts from nothing',
  },
  edit_run: {
    words: 'Resume with edits…',
    icon: FilePen,
    look: 'plain',
    deed: 'edited_run',
    title: 'A next run by an edited plan file',
  },
} as const satisfies Record<string, Control>;
export type ControlName = keyof typeof CONTROLS;

/** A plan's state as its buttons see it. */
export type Standing = PlanStatus | 'pausing';

const NEXT_RUNS = ['resume_run', 'retry_run', 'edit_run'] as const;

/**
 * Document 1's table of buttons: pause and stop in stand_by and awaiting_input, stop in executing, resume and stop in paused,
 * none of them once it has ended. Ours besides: a pause that lets finish what runs, which can be taken back; approve; next runs.
 */
export const SHOWN: Record<Standing, readonly ControlName[]> = {
  pending_review: ['approve', 'stop'],
  stand_by: ['pause', 'stop'],
  awaiting_input: ['pause', 'stop'],
  executing: ['drain', 'stop'],
  pausing: ['resume', 'stop'],
  paused: ['resume', 'stop'],
  completed: [],
  failed: NEXT_RUNS,
  stopped: NEXT_RUNS,
};

/** Which buttons a plan has. While it is being stopped they stay, and are off. */
export function controlsOf({ state, pausing }: Pick<Plan, 'state' | 'pausing'>): readonly ControlName[] {
  return SHOWN[pausing && state.status === 'executing' ? 'pausing' : state.status];
}
