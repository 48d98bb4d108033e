import {
  Ban,
  Check,
  CircleDashed,
  Hourglass,
  MessageCircleQuestionMark,
  Pause,
  Play,
  RefreshCw,
  SkipForward,
  Square,
  X,
} from 'lucide-react';
import type { AgentExecution, ChatStatus } from '../api/types.ts';
import type { BadgeLook } from '../ui/badges.ts';
import { plainText } from '../ui/plain-text.ts';

type RunStatus = NonNullable<ChatStatus['status']>;

export const RUN_BADGES: Record<RunStatus, BadgeLook> = {
  running: { words: 'Running', icon: Play, tone: 'blue' },
  completed: { words: 'Completed', icon: Check, tone: 'green' },
  failed: { words: 'Failed', icon: X, tone: 'red' },
  interrupted: { words: 'Interrupted', icon: Pause, tone: 'orange' },
  awaiting_checkpoint: { words: 'Awaiting a decision', icon: MessageCircleQuestionMark, tone: 'violet' },
};
/** An interrupted run that is not found as such any more. */
export const DISMISSED: BadgeLook = { words: 'Dismissed', icon: Square, tone: 'gray' };

export const AGENT_BADGES: Record<AgentExecution['status'], BadgeLook> = {
  pending: { words: 'Planned', icon: CircleDashed, tone: 'gray' },
  running: { words: 'Running', icon: Play, tone: 'blue' },
  waiting: { words: 'Waiting', icon: Hourglass, tone: 'violet' },
  retrying: { words: 'Trying again', icon: RefreshCw, tone: 'teal' },
  completed: { words: 'Completed', icon: Check, tone: 'green' },
  failed: { words: 'Failed', icon: X, tone: 'red' },
  skipped: { words: 'Skipped', icon: SkipForward, tone: 'gray' },
  stopped: { words: 'Stopped', icon: Ban, tone: 'gray' },
};

export const sentence = (text: string): string => plainText(`${text.charAt(0).toUpperCase()}${text.slice(1)}`);
