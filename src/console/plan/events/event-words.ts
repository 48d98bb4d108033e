import {
  AlarmClock,
  Ban,
  Check,
  CirclePause,
  CirclePlay,
  CircleX,
  FilePlus,
  type LucideIcon,
  MessageCircleQuestionMark,
  MessageCircleReply,
  Pause,
  Play,
  Recycle,
  RefreshCw,
  Rewind,
  Rocket,
  Scissors,
  ShieldX,
  SkipForward,
  Square,
  ThumbsUp,
  Timer,
  TriangleAlert,
  Unplug,
  X,
} from 'lucide-react';
import type { EventType } from '../../../plan/events.ts';
import type { PlanState, Timeline } from '../../api/types.ts';
import { PLAN_BADGES, type Tone } from '../../ui/badges.ts';
import { duration } from '../../ui/duration.ts';

export type Entry = Timeline['entries'][number];
export type EntryType = EventType | 'gap' | 'PlanReset';

/** What words may be made of. */
interface Told {
  by?: string;
  attempt?: number;
  message?: string;
  state?: PlanState;
  details?: unknown;
  from_seq?: number;
  seq?: number;
}

interface EventLook {
  icon: LucideIcon;
  tone: Tone;
  words: (told: Told) => string;
  /** Of the plan as a whole, by people or for good: in the colours of its words, and told to those who do not see it. */
  lifecycle?: true;
  /** The message is in the words. */
  hasMessage?: true;
}

const by = (verb: string) => (told: Told) => (told.by === undefined ? verb : `${verb} by ${told.by}`);
const tried = (verb: string) => (told: Told) => ((told.attempt ?? 1) > 1 ? `${verb}, attempt ${told.attempt}` : verb);

/** How each event is told. Document 1: paused is orange, resumed blue, stopped red as what destroys. */
export const EVENT_LOOKS: Record<EntryType, EventLook> = {
  PlanCreated: { icon: FilePlus, tone: 'gray', words: by('Created'), lifecycle: true },
  RunStarted: { icon: Rocket, tone: 'blue', words: runWords, lifecycle: true },
  PlanApproved: { icon: ThumbsUp, tone: 'green', words: by('Approved'), lifecycle: true },
  PlanStateChanged: { icon: CirclePlay, tone: 'gray', words: stateWords },
  PlanPaused: { icon: Pause, tone: 'orange', words: by('Paused'), lifecycle: true },
  PlanResumed: { icon: Play, tone: 'blue', words: by('Resumed'), lifecycle: true },
  PlanStopped: { icon: Square, tone: 'red', words: by('Stopped'), lifecycle: true },
  PlanCompleted: { icon: Check, tone: 'green', words: () => 'The plan completed', lifecycle: true },
  PlanFailed: { icon: X, tone: 'red', words: () => 'The plan failed', lifecycle: true },
  DeadlinePassed: { icon: AlarmClock, tone: 'red', words: () => 'The deadline passed', lifecycle: true },
  TaskStarted: { icon: Play, tone: 'blue', words: startWords },
  TaskSucceeded: { icon: Check, tone: 'green', words: tried('Succeeded') },
  TaskFailed: { icon: X, tone: 'red', words: tried('Failed') },
  TaskRetried: { icon: RefreshCw, tone: 'teal', words: retryWords },
  TaskLost: { icon: Unplug, tone: 'orange', words: tried('Lost its worker') },
  TaskInterrupted: { icon: Scissors, tone: 'orange', words: tried('Interrupted') },
  TaskSkipped: { icon: SkipForward, tone: 'gray', words: () => 'Skipped' },
  TaskCancelled: { icon: Ban, tone: 'gray', words: () => 'Cancelled' },
  TaskReused: { icon: Recycle, tone: 'teal', words: () => 'Kept from the run before' },
  TaskHeld: { icon: CirclePause, tone: 'orange', words: by('Held') },
  TaskReleased: { icon: CirclePlay, tone: 'blue', words: by('Released') },
  QuestionOpened: { icon: MessageCircleQuestionMark, tone: 'violet', words: () => 'Asks' },
  QuestionAnswered: { icon: MessageCircleReply, tone: 'violet', words: by('Answered') },
  QuestionTimedOut: { icon: Timer, tone: 'orange', words: () => 'Nobody answered in time' },
  LimitWarning: { icon: TriangleAlert, tone: 'orange', words: () => 'Most of a limit is spent' },
  CommandRefused: { icon: ShieldX, tone: 'orange', words: by('Refused: asked for') },
  gap: { icon: CircleX, tone: 'gray', words: gapWords, hasMessage: true, lifecycle: true },
  PlanReset: { icon: Rewind, tone: 'orange', words: by('Reset in Temporal'), lifecycle: true },
};

/** What an event has besides its words, by name; empty for what has nothing of that kind. */
export const detailsOf = ({ details }: Told): Record<string, unknown> =>
  typeof details === 'object' && details !== null ? (details as Record<string, unknown>) : {};

export const wordsOf = (entry: Entry): string => EVENT_LOOKS[entry.type].words(entry);

/** The last event of a run counts as well: it has how all ended. */
export const isLifecycle = (entry: Entry): boolean =>
  EVENT_LOOKS[entry.type].lifecycle === true || ('totals' in entry && entry.totals !== undefined);

export const runOf = (entry: Entry): number | undefined => {
  if (entry.type === 'PlanCreated') return 1;
  const { run } = entry.type === 'RunStarted' ? detailsOf(entry) : {};
  return typeof run === 'number' ? run : undefined;
};

function runWords(told: Told): string {
  const { run, mode, from } = detailsOf(told);
  const how = mode === 'retry' ? 'from nothing' : from === undefined ? 'keeping what was done' : `from ${from} on`;
  return `Run ${run} started by ${told.by}, ${how}`;
}

function stateWords({ state }: Told): string {
  return state === undefined ? 'Another state' : `Now: ${PLAN_BADGES[state.status].words}`;
}

/** Of an iteration, and of a step in one, which it is. */
function startWords(told: Told): string {
  const { input, of, name, step, steps } = detailsOf(told);
  if (typeof input === 'number') return `Started input ${input} of ${of}: ${String(name)}`;
  if (typeof step === 'number') return `Started step ${step} of ${steps}`;
  return tried('Started')(told);
}

function retryWords(told: Told): string {
  const { delay_ms, attempts, max_attempts } = detailsOf(told);
  const when = typeof delay_ms === 'number' ? `tries again in ${duration(delay_ms)}` : 'tries again';
  return `Attempt ${attempts ?? told.attempt} of ${max_attempts ?? 'several'} failed, ${when}`;
}

function gapWords({ from_seq, seq, message }: Told): string {
  return `Events ${from_seq} to ${seq} are not there any more: ${message}`;
}
