import type { Colors } from 'picocolors/types.js';
import type { TaskDefinition } from '../../plan/definition.ts';
import { formatDuration } from '../../plan/duration.ts';
import type { EventType, PlanEvent } from '../../plan/events.ts';
import { isIterationStart } from '../../plan/iteration.ts';
import type { PlanView } from '../../plan/view.ts';
import type { Cli } from '../cli.ts';
import { answerCommands } from './commands.ts';
import { pad } from './table.ts';
import { firstLines, localTime, oneLine } from './text.ts';

/** A plan as far as telling its progress needs it. */
export interface ToldPlan {
  plan_id: string;
  definition: { tasks: ToldTask[] };
}
export type ToldTask = Pick<TaskDefinition, 'id' | 'kind' | 'mode' | 'needs' | 'on_failure' | 'handler'>;

/** What has been told so far: events say what changes, not where things stand. */
interface Told {
  done: number;
  /** When each running task's attempt began. */
  running: Map<string, number>;
  pausedBy?: string;
  last?: EventType;
  /** Of a plan with `iterate` that is at it: how many inputs are done, of how many. */
  inputs?: { done: number; of: number } | undefined;
}

type Sentence = (event: PlanEvent, told: Told, task: ToldTask | undefined) => string | undefined;

/** A task that nothing needs is what people ran the plan for. */
const OUTPUT_LINES = { step: 5, result: 40 };
const PROMPT_LINES = 30;
const LONGEST_ID = 24;

/** By kind of task, in which output is what its command printed. */
const PRINTED: Record<string, string | undefined> = { run: 'stdout', shell: 'output', claude: 'output' };

/** The view of a plan larger than this costs more to read again and again than its commands' outputs are worth. */
const MOST_TASKS_READ = 1_000;

export interface ProgressTeller {
  /** Whether an event's lines need the plan's view besides. */
  needsView(event: PlanEvent): boolean;
  /** What tells an event, given in order; nothing when it is no news to people. */
  lines(event: PlanEvent, view?: PlanView): string[];
}

export function tellProgress({ plan_id, definition }: ToldPlan, cli: Pick<Cli, 'self' | 'out'>): ProgressTeller {
  const tasks = new Map(definition.tasks.map((task) => [task.id, task]));
  const width = Math.min(LONGEST_ID, Math.max(...definition.tasks.map(({ id }) => id.length)));
  const told: Told = { done: 0, running: new Map() };
  const needed = new Set(definition.tasks.flatMap(({ needs }) => needs));
  const results = new Set(definition.tasks.filter((_, i) => !needed.has(i)).map(({ id }) => id));
  const total = definition.tasks.filter(({ handler }) => !handler).length;
  const { colours } = cli.out;
  const taskOf = ({ task }: PlanEvent) => (task === undefined ? undefined : tasks.get(task));

  return {
    needsView(event) {
      if (event.type === 'QuestionOpened') return true;
      return (
        event.type === 'TaskSucceeded' &&
        PRINTED[taskOf(event)?.kind ?? ''] !== undefined &&
        tasks.size <= MOST_TASKS_READ
      );
    },
    lines(event, view) {
      const task = taskOf(event);
      followInputs(event, task, told);
      if (isDone(event, task)) told.done += 1;
      // An engine of a later build may write what is not known here.
      const sentence = SENTENCES[event.type]?.(event, told, task);
      follow(event, told);
      if (sentence === undefined) return [];
      const [done, of] = told.inputs ? [told.inputs.done, told.inputs.of] : [told.done, total];
      const counts = colours.dim(`[${done}/${of}]`);
      const named = event.task !== undefined && !isIterationStart(event.details);
      const isStep = isIterationStart(event.details) && 'step' in event.details;
      const subject = named ? `${pad(event.task!, width)}  ` : isStep ? '  ' : '';
      const more = [
        ...promptLines(event).slice(1),
        ...outputLines(event, view, event.task !== undefined && results.has(event.task)),
        ...howToGoOn(event, view, cli, plan_id),
      ];
      return [
        `${counts} ${subject}${colourOf(event, colours)(oneLine(sentence))}`,
        ...more.map((line) => `      ${colours.dim(line)}`),
      ];
    },
  };
}

/** While a plan is at its iterations, they are what is counted. */
function followInputs({ type, details }: PlanEvent, task: ToldTask | undefined, told: Told): void {
  if (type === 'TaskStarted' && isIterationStart(details)) {
    if ('input' in details) told.inputs = { done: details.input - 1, of: details.of };
  } else if (task?.mode === 'map' && told.inputs)
    told.inputs = type === 'TaskSucceeded' ? { ...told.inputs, done: told.inputs.of } : told.inputs;
  else if (task) told.inputs = undefined;
}

/** Counts as the plan's own progress does. */
const isDone = ({ type }: PlanEvent, task: ToldTask | undefined): boolean =>
  task !== undefined &&
  !task.handler &&
  (type === 'TaskSucceeded' ||
    type === 'TaskReused' ||
    type === 'TaskSkipped' ||
    (type === 'TaskFailed' && task.on_failure === 'continue'));

function follow({ type, task, at, by }: PlanEvent, told: Told): void {
  told.last = type;
  if (type === 'PlanPaused') told.pausedBy = by;
  if (task === undefined) return;
  if (type === 'TaskStarted') told.running.set(task, at);
  else if (/^Task(Succeeded|Failed|Retried|Lost|Interrupted|Cancelled)$/.test(type)) told.running.delete(task);
}

const nothing: Sentence = () => undefined;
const after = (what: string, { message }: PlanEvent): string => (message ? `${what}: ${message}` : what);

/** What people read of each event. The end of a plan is told apart, see ending.ts. */
const SENTENCES: Record<EventType, Sentence> = {
  PlanCreated: nothing,
  RunStarted: ({ by }) => `next run started by ${by}`,
  PlanApproved: ({ by }) => `plan approved by ${by}`,
  PlanStateChanged: ({ state, message }, told) => {
    if (state?.status === 'pending_review') return 'waits for review';
    if (state?.status === 'paused') return `plan paused by ${told.pausedBy}`;
    if (state?.status === 'stand_by' && message) return message;
    // A retry has told its time; a resume stands by for no time at all.
    const known = told.last === 'TaskRetried' || told.last === 'PlanResumed';
    return state?.status === 'stand_by' && !known ? `waits until ${localTime(state.next_execution_at)}` : undefined;
  },
  PlanPaused: ({ by, message, details }, { running }) =>
    message === 'interrupted'
      ? `interrupted by ${by}`
      : details && message
        ? message
        : running.size > 0
          ? `pause asked by ${by}; what runs ends first`
          : undefined,
  PlanResumed: ({ by }) => `plan resumed by ${by}`,
  PlanStopped: ({ by }) => `stop asked by ${by}`,
  PlanCompleted: nothing,
  DeadlinePassed: () => 'the deadline has passed',
  PlanFailed: nothing,
  TaskStarted: ({ attempt = 1, details, task: id = '' }, _, task) => {
    if (isIterationStart(details)) {
      const again = attempt > 1 ? `, attempt ${attempt}` : '';
      if ('input' in details) return `Processing input ${details.input}/${details.of}: ${details.name}${again}`;
      return `step ${details.step}/${details.steps}: ${id.slice(id.lastIndexOf('/') + 1)}${again}`;
    }
    if (task?.mode === 'question' || task?.mode === 'value') return undefined;
    return attempt > 1 ? `started, attempt ${attempt}` : 'started';
  },
  TaskSucceeded: ({ task, at }, { running }) => {
    const since = running.get(task ?? '');
    return since === undefined || at === since ? 'succeeded' : `succeeded in ${formatDuration(at - since)}`;
  },
  TaskFailed: (event) => after('failed', event),
  TaskRetried: (event) => after(`attempt ${event.attempt} failed, retry in ${formatDuration(delayOf(event))}`, event),
  TaskLost: (event) => after('its worker was lost, it runs again', event),
  TaskInterrupted: ({ details }) => (details ? 'reached a limit, it runs again' : 'interrupted, it runs again'),
  TaskSkipped: (event) => after('skipped', event),
  TaskCancelled: (event) => after('cancelled', event),
  TaskReused: () => 'reused',
  TaskHeld: ({ by }) => `held by ${by}`,
  TaskReleased: ({ by }) => `released by ${by}`,
  QuestionOpened: (event) => after('asks', { ...event, message: promptLines(event)[0] ?? event.message }),
  QuestionAnswered: (event) => after(`answered by ${event.by}`, event),
  QuestionTimedOut: (event) => after('nobody answered in time', event),
  LimitWarning: ({ message }) => message,
  CommandRefused: (event) => after(`refused to ${event.by}`, event),
};

function delayOf({ details }: PlanEvent): number {
  const delay = details && typeof details === 'object' && 'delay_ms' in details ? details.delay_ms : 0;
  return typeof delay === 'number' ? delay : 0;
}

function colourOf({ type, state }: PlanEvent, colours: Colors): (text: string) => string {
  if (type === 'TaskSucceeded') return colours.green;
  if (type === 'TaskFailed') return colours.red;
  if (type === 'QuestionOpened' || state?.status === 'pending_review') return colours.magenta;
  if (type === 'TaskRetried' || type === 'TaskLost' || state?.status === 'paused') return colours.yellow;
  return (text) => text;
}

/** A prompt of several lines, as its author broke them. */
function promptLines({ type, message }: PlanEvent): string[] {
  return type === 'QuestionOpened' && message?.trimEnd().includes('\n')
    ? firstLines(message, PROMPT_LINES).filter((line) => line !== '')
    : [];
}

/** The beginning of what a command printed, where that is short enough to be in the view. */
function outputLines({ type, task }: PlanEvent, view: PlanView | undefined, isResult: boolean): string[] {
  if (type !== 'TaskSucceeded') return [];
  const found = view?.tasks.find(({ id, kind }) => id === task && PRINTED[kind] !== undefined);
  const printed = (found?.outputs as Record<string, unknown> | null | undefined)?.[PRINTED[found?.kind ?? ''] ?? ''];
  return typeof printed === 'string' && printed.trim() !== ''
    ? firstLines(printed, OUTPUT_LINES[isResult ? 'result' : 'step'])
    : [];
}

/** The exact commands by which what waits for people goes on. */
function howToGoOn(event: PlanEvent, view: PlanView | undefined, cli: Pick<Cli, 'self'>, planId: string): string[] {
  const { type, state, task, question } = event;
  if (type === 'QuestionOpened') {
    // Answered already when it is not in the view.
    const open = view?.questions.find(({ id }) => id === question);
    return open ? answerCommands(cli, planId, open) : [];
  }
  if (type === 'TaskHeld') return [`${cli.self} release ${planId} ${task}`];
  if (state?.status === 'pending_review') return [`${cli.self} approve ${planId}`];
  return state?.status === 'paused' ? [`${cli.self} resume ${planId}`] : [];
}
