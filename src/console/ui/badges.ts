import {
  Ban,
  Check,
  CircleDashed,
  CirclePause,
  Clock,
  Eye,
  Hourglass,
  type LucideIcon,
  MessageCircleQuestionMark,
  Pause,
  Play,
  RefreshCw,
  SkipForward,
  Square,
  X,
} from 'lucide-react';
import type { PlanStatus } from '../../plan/lifecycle.ts';
import type { Task } from '../api/types.ts';

/** Colours by meaning; `styles/tokens.css` has them for both themes. */
export type Tone = 'blue' | 'green' | 'red' | 'orange' | 'gray' | 'violet' | 'teal';

export interface BadgeLook {
  words: string;
  icon: LucideIcon;
  tone: Tone;
}

/** Document 1: paused is orange with ⏸, stopped is gray. Each has an icon and words, for colours alone are not seen by all. */
export const PLAN_BADGES: Record<PlanStatus, BadgeLook> = {
  pending_review: { words: 'In review', icon: Eye, tone: 'violet' },
  stand_by: { words: 'Stand by', icon: Clock, tone: 'teal' },
  awaiting_input: { words: 'Awaiting input', icon: MessageCircleQuestionMark, tone: 'violet' },
  executing: { words: 'Executing', icon: Play, tone: 'blue' },
  paused: { words: 'Paused', icon: Pause, tone: 'orange' },
  completed: { words: 'Completed', icon: Check, tone: 'green' },
  failed: { words: 'Failed', icon: X, tone: 'red' },
  stopped: { words: 'Stopped', icon: Square, tone: 'gray' },
};

export const TASK_BADGES: Record<Task['status'], BadgeLook> = {
  pending: { words: 'Pending', icon: CircleDashed, tone: 'gray' },
  running: { words: 'Running', icon: Play, tone: 'blue' },
  waiting: { words: 'Waiting', icon: Hourglass, tone: 'violet' },
  backing_off: { words: 'Backing off', icon: RefreshCw, tone: 'teal' },
  succeeded: { words: 'Succeeded', icon: Check, tone: 'green' },
  failed: { words: 'Failed', icon: X, tone: 'red' },
  skipped: { words: 'Skipped', icon: SkipForward, tone: 'gray' },
  cancelled: { words: 'Cancelled', icon: Ban, tone: 'gray' },
};

/** What is shown besides a task's status. */
export const HELD_BADGE: BadgeLook = { words: 'Held', icon: CirclePause, tone: 'orange' };
export const REUSED_BADGE: BadgeLook = { words: 'Reused', icon: RefreshCw, tone: 'teal' };
