import { dueAt } from './clocks.ts';
import { openApprovals } from './commands.ts';
import type { Handler, TaskDefinition } from './definition.ts';
import { inputOf } from './iteration.ts';
import type { JsonObject } from './json.ts';
import { allows, COMMAND_NAMES, type CommandName, type PlanStateView } from './lifecycle.ts';
import { type LimitDetails, limitWords } from './limits.ts';
import { mapTotals } from './map.ts';
import { nameOf, type Plan, planState, situation, taskAt } from './plan.ts';
import { type Position, positionOf } from './position.ts';
import { type Progress, progress } from './progress.ts';
import type { AnswerRecord, Hold, HoldReason, PlanError, Question, TaskError, TaskState, TaskStatus } from './state.ts';
import { type WaitingFor, waitingFor } from './waiting-for.ts';
import type { Worktree } from './worktree.ts';

/** A plan as every surface shows it. Times are ISO 8601. */
export interface PlanView {
  plan_id: string;
  name: string;
  state: PlanStateView;
  run: number;
  pausing: boolean;
  stopping: boolean;
  progress: Progress;
  progress_percentage: number;
  /** Which step is next or under way. */
  position: Position;
  current_task: string | null;
  current_tasks: string[];
  tasks: TaskView[];
  /** How many tasks there are, handlers included: a view may hold a page of them. */
  tasks_total: number;
  /** Workflows that are at work for this plan, and show what runs in them. */
  children: ChildView[];
  questions: QuestionView[];
  waiting_for: WaitingFor[];
  allowed_actions: CommandName[];
  error: PlanError | null;
  /** When the plan fails unless it has ended; null without one, and while it stands still. */
  deadline_at: string | null;
  /** What holds it while it is paused, or about to be. */
  hold?: HoldView;
  /** How it stands in its group, where it is in one. */
  concurrency?: ConcurrencyView;
  /** The Git worktree it works in, where it has one. */
  worktree?: Worktree;
  created_at: string;
  created_by: string;
  updated_at: string;
  seq: number;
}

/** `held`: it has one of the group's slots; `waiting`: it is in line for one; `none`: it needs none now. */
export interface ConcurrencyView {
  group: string;
  max: number;
  slot: 'held' | 'waiting' | 'none';
  /** Of one that waits: 1 is next. */
  place?: number;
  /** Of one that waits: plans of the group that have a slot, at most ten of them. */
  running?: string[];
}

/** `message`, `details`: of a limit, in words and in data. */
export interface HoldView {
  reason: HoldReason;
  since: string;
  by: string;
  message?: string;
  details?: LimitDetails;
}

export interface TaskView {
  id: string;
  kind: string;
  status: TaskStatus;
  attempt: number;
  max_attempts: number;
  needs: string[];
  outputs?: object;
  error?: TaskError;
  reason?: string;
  answer?: Omit<AnswerRecord, 'at'> & { at: string };
  hold?: { since: string; by: string; comment?: string };
  started_at?: string;
  ended_at?: string;
  /** When a wait or a back-off ends; absent while the plan is held. */
  due_at?: string;
  reused?: true;
  /** For which ending of the plan it runs. */
  handler?: Handler;
  /** Of a map: how many items there are, and how they ended in the batches that have. */
  items?: { total: number; succeeded: number; failed: number; skipped: number };
  /** Of the task that does a plan's iterations, while it is at work: which input it is at, and which step. */
  iteration?: IterationView;
  /** Of one iteration of it. */
  input?: { input: number; of: number; name: string };
}

/** `step` of `steps` is the last that has begun, `task` its id; absent until one has. */
export interface IterationView {
  input: number;
  of: number;
  name: string;
  step?: number;
  steps?: number;
  task?: string;
}

/** `key`: its Workflow Id is the plan's, a slash, and this. `task`: whose sub-plan or map it is. */
export interface ChildView {
  key: string;
  kind: 'plan' | 'batch' | 'segment';
  task?: string;
}

export interface QuestionView {
  id: string;
  task: string;
  kind: string;
  prompt: string;
  options: string[];
  form?: JsonObject;
  opened_at: string;
  expires_at: string | null;
  overdue?: true;
}

const iso = (ms: number) => new Date(ms).toISOString();
const optionalIso = (ms: number | undefined) => (ms === undefined ? null : iso(ms));

/** Tasks of the view, by place: a plan of thousands is read page by page. */
export interface TaskPage {
  from: number;
  limit: number;
}

export function viewOf(plan: Plan, now: number, { from, limit }: TaskPage = { from: 0, limit: 10_000 }): PlanView {
  const { state, definition, index } = plan;
  const present = situation(plan);
  const counts = progress(plan);
  const running = currentTasks(plan);
  return {
    plan_id: plan.plan_id,
    name: definition.name,
    state: planState(plan),
    run: state.run,
    pausing: present.pausing,
    stopping: present.stopping,
    progress: counts,
    progress_percentage: counts.percentage,
    position: positionOf(plan),
    current_task: running.at(-1) ?? null,
    current_tasks: running,
    tasks: definition.tasks
      .slice(plan.given + from, plan.given + from + limit)
      .map((_, k) => taskView(plan, plan.given + from + k)),
    tasks_total: definition.tasks.length - plan.given,
    children: Array.from(index.children.values(), ({ key, what }) => ({
      key,
      kind: what.kind,
      ...(what.kind !== 'segment' && { task: nameOf(plan, what.task) }),
    })),
    questions: [...index.questions].map((i) => questionView(plan, i)),
    waiting_for: waitingFor(plan, now),
    allowed_actions: COMMAND_NAMES.filter((name) => allows(name, present) && hasObject(plan, name)),
    error: state.error ?? null,
    deadline_at: optionalIso(dueAt(state.deadline)),
    ...pauseView(state.pause),
    ...concurrencyView(plan),
    created_at: iso(state.created_at),
    created_by: state.created_by,
    updated_at: iso(state.updated_at),
    seq: state.seq,
  };
}

function pauseView(hold: Hold | undefined): Pick<PlanView, 'hold'> {
  if (!hold) return {};
  const { reason, since, by } = hold;
  const { n: _, ...details } = hold.limit ?? { n: 0 };
  const limit = hold.limit && { message: limitWords(hold.limit), details: details as LimitDetails };
  return { hold: { reason, since: iso(since), by, ...limit } };
}

const SLOT_WORDS = { free: 'none', asked: 'waiting', held: 'held' } as const;
function concurrencyView({ definition: { concurrency }, state }: Plan): Pick<PlanView, 'concurrency'> {
  return concurrency ? { concurrency: { ...concurrency, slot: SLOT_WORDS[state.slot?.is ?? 'free'] } } : {};
}

/** Tasks at work, those begun last at the end. */
function currentTasks(plan: Plan): string[] {
  const { running, maps, children, asides } = plan.index;
  const own = new Set([...maps, ...asides, ...running]);
  for (const { what } of children.values()) if (what.kind === 'plan') own.add(what.task);
  return Array.from(own, (i) => nameOf(plan, i));
}

/** Whether there is something for the command to act on. */
function hasObject(plan: Plan, name: CommandName): boolean {
  const { state, index } = plan;
  const asked = () => Array.from(index.children.values()).some(({ told }) => told && told.questions.length > 0);
  if (name === 'answer') return index.questions.size > 0 || asked();
  if (name === 'approve') return state.review !== undefined || openApprovals(plan).length > 0;
  if (name === 'hold')
    return state.tasks.some((task) => !task.hold && ['pending', 'backing_off'].includes(task.status));
  if (name === 'release') return state.tasks.some((task) => task.hold !== undefined);
  return true;
}

function taskView(plan: Plan, i: number): TaskView {
  const { task, at } = taskAt(plan, i);
  const due = at.question ? undefined : dueAt(at.clock);
  return {
    id: nameOf(plan, i),
    kind: task.kind,
    status: at.status,
    attempt: at.attempts,
    max_attempts: task.retry.max_attempts,
    needs: task.needs.map((need) => nameOf(plan, need)),
    ...(at.outputs && { outputs: at.outputs }),
    ...(at.error && { error: at.error }),
    ...(at.reason !== undefined && { reason: at.reason }),
    ...(at.answered && { answer: { ...at.answered.record, at: iso(at.answered.record.at) } }),
    ...(at.hold && { hold: holdView(at.hold) }),
    ...(at.started_at !== undefined && { started_at: iso(at.started_at) }),
    ...(at.ended_at !== undefined && { ended_at: iso(at.ended_at) }),
    ...(due !== undefined && { due_at: iso(due) }),
    ...(at.reused && { reused: at.reused }),
    ...(task.handler && { handler: task.handler }),
    ...itemsView(task, at),
    ...inputView(plan, i),
  };
}

/** While a map is at work from what its batches left; afterwards its outputs have the counts. */
function itemsView({ mode }: TaskDefinition, { map, outputs }: TaskState): Pick<TaskView, 'items'> {
  const counts = map ? mapTotals(map) : outputs;
  if (mode !== 'map' || !counts || !('total' in counts)) return {};
  const { total, succeeded, failed, skipped } = counts as unknown as NonNullable<TaskView['items']>;
  return { items: { total, succeeded, failed, skipped } };
}

function inputView(plan: Plan, i: number): Pick<TaskView, 'input'> {
  const input = inputOf(plan, i);
  return input ? { input } : {};
}

const holdView = ({ since, by, comment }: Hold) => ({
  since: iso(since),
  by,
  ...(comment !== undefined && { comment }),
});

function questionView(plan: Plan, i: number): QuestionView {
  const { at } = taskAt(plan, i);
  const { id, kind, prompt, options, form, opened_at, overdue } = at.question as Question;
  const due = dueAt(at.clock);
  return {
    id,
    task: nameOf(plan, i),
    kind,
    prompt,
    options,
    ...(form && { form }),
    opened_at: iso(opened_at),
    expires_at: optionalIso(due),
    ...(overdue && { overdue }),
  };
}
