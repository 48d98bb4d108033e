import { z } from 'zod';
import type { Json } from '../plan/json.ts';
import { isTerminal, PLAN_STATUSES } from '../plan/lifecycle.ts';
import { TASK_STATUSES, type TaskStatus } from '../plan/state.ts';
import type { TaskView } from '../plan/view.ts';
import { lastLlmCall } from '../service/last-llm-call.ts';
import type { ReadPlan } from '../service/read-plan.ts';
import { sseUrl } from './events-url.ts';
import { FAILURE_REASONS, failureOf } from './failure.ts';
import { nextStepsOf, PLAN_WORDS, STATES, type State } from './plan-words.ts';

const time = z.string().describe('ISO 8601');
const json = z.custom<Json>();

/** What may be as long as a plan is large: a model reads every one of them. */
const MOST = 50;
const LISTS = ['current_tasks', 'tasks', 'questions', 'waiting_for'] as const;

const task = z.object({
  id: z.string(),
  kind: z.string(),
  status: z.enum(TASK_STATUSES),
  attempt: z.int(),
  started_at: time.nullable(),
  ended_at: time.nullable(),
  error: z.object({ code: z.string(), message: z.string() }).nullable(),
});

/** What `plan_status` and `plan_wait` answer: document 0's fields, those of the released tool, and Holdpoint's own. */
export const planStatus = z.object({
  plan_id: z.string(),
  name: z.string(),
  state: z.enum(STATES).describe('pending, processing, or how it ended: completed, failed, stopped'),
  plan_state: z
    .object({ status: z.enum(PLAN_STATUSES), next_execution_at: time.optional() })
    .describe('The same in Holdpoint’s own, finer states'),
  run: z.int().describe('Counts the runs: 1, and one more with every plan_resume or plan_retry of an ended plan'),
  pausing: z.boolean().describe('A pause waits for running tasks to end'),
  stopping: z.boolean(),
  progress_percentage: z.int().describe('Never falls within a run; 100 only when completed'),
  steps_completed: z.int(),
  steps_total: z.int(),
  current_step: z.string().nullable().describe('The task that was completed last'),
  current_task: z
    .string()
    .nullable()
    .describe('The task at work or asking; of a failed or stopped plan, the task where it ended'),
  current_tasks: z.array(z.string()).describe('All tasks at work'),
  last_llm_call_at: time.nullable().describe('When a model was last called; null where none was'),
  timing: z.object({
    started_at: time.describe('When the plan was created'),
    elapsed_sec: z.number(),
    last_progress_at: time
      .nullable()
      .describe('When a task last began or ended. Unchanged for more than 10 minutes: look at plan_logs'),
  }),
  tasks: z.array(task).describe('Tasks that are at work, wait, failed, or were cut off'),
  questions: z.array(
    z.object({
      id: z.string().describe('Give it to plan_answer'),
      task: z.string(),
      prompt: z.string(),
      options: z.array(z.string()),
      form: z.record(z.string(), json).optional().describe('JSON Schema of the `values` to give'),
      expires_at: time.nullable(),
    }),
  ),
  waiting_for: z.array(z.string()),
  left_out: z
    .partialRecord(z.enum(LISTS), z.int())
    .optional()
    .describe(`How many more there are, of lists that have more than ${MOST}`),
  error: z
    .object({
      failure_reason: z.enum(FAILURE_REASONS),
      failed_step: z.string().nullable(),
      message: z.string(),
      recoverable: z.boolean().describe('Whether plan_resume can go on from it'),
      code: z.string(),
    })
    .optional()
    .describe('The failed task and why; only of a plan that failed'),
  outputs: z
    .record(z.string(), json)
    .optional()
    .describe('What its tasks gave, by task; once it has ended, or asks. Those that ended last, 8 KiB in all'),
  outputs_left_out: z.int().optional().describe('So many tasks gave more than there was room for in outputs'),
  files_count: z.int().describe('How many files its tasks have made and kept: their declared outputs'),
  files: z
    .array(
      z.object({
        path: z.string(),
        task: z.string(),
        bytes: z.int(),
        sha256: z.string(),
        updated_at: time.nullable(),
        uri: z.string().describe('Read it as a resource'),
      }),
    )
    .describe('The newest 10, newest first'),
  sse_url: sseUrl,
  live: z.boolean().describe('False: no worker answers, and this is the last that is known'),
  next_steps: z.string(),
});
export type PlanStatusAnswer = z.output<typeof planStatus>;

/** What the plan itself tells; what it has kept outside is told besides. */
export type OwnStatus = Omit<PlanStatusAnswer, 'files' | 'files_count' | 'sse_url' | 'outputs' | 'outputs_left_out'>;

export function statusOf(view: ReadPlan, now = Date.now()): OwnStatus {
  const { status } = view.state;
  const ended = isTerminal(status);
  const open = view.tasks.filter(isOpen);
  const elapsed = (ended ? Date.parse(view.updated_at) : now) - Date.parse(view.created_at);
  return {
    plan_id: view.plan_id,
    name: view.name,
    state: wordOf(view),
    plan_state: view.state,
    run: view.run,
    pausing: view.pausing,
    stopping: view.stopping,
    progress_percentage: view.progress_percentage,
    steps_completed: view.progress.done,
    steps_total: view.progress.total,
    current_step: latest(view.tasks.filter(isDone), ({ ended_at }) => ended_at)?.id ?? null,
    current_task: currentTask(view),
    current_tasks: view.current_tasks.slice(0, MOST),
    last_llm_call_at: lastLlmCall(view.tasks),
    timing: {
      started_at: view.created_at,
      elapsed_sec: Math.max(0, Math.round(elapsed / 100) / 10),
      last_progress_at: movedAt(latest(view.tasks, movedAt)) ?? null,
    },
    tasks: open.slice(0, MOST).map(taskOf),
    questions: view.questions.slice(0, MOST).map(({ id, task, prompt, options, form, expires_at }) => ({
      id,
      task,
      prompt,
      options,
      ...(form && { form }),
      expires_at,
    })),
    waiting_for: view.waiting_for.slice(0, MOST).map(({ text }) => text),
    ...leftOut({ ...view, tasks: open }),
    ...(status === 'failed' && view.error && { error: failureOf(view.error) }),
    live: view.freshness.live,
    next_steps: nextStepsOf(view),
  };
}

function leftOut(lists: Record<(typeof LISTS)[number], unknown[]>): Pick<OwnStatus, 'left_out'> {
  const more = LISTS.flatMap((name) => (lists[name].length > MOST ? [[name, lists[name].length - MOST]] : []));
  return more.length > 0 ? { left_out: Object.fromEntries(more) } : {};
}

/** Of plans that wait for their start time, only the plan itself tells that they have not begun. */
export const wordOf = ({ state, waiting_for }: ReadPlan): State =>
  waiting_for.some(({ what }) => what === 'start_time') ? 'pending' : PLAN_WORDS[state.status].state;

/** Where an agent looks when it asks what a plan does, or where it stalled. */
export function currentTask({ state, error, current_task, tasks, questions, waiting_for }: ReadPlan): string | null {
  if (state.status === 'completed') return null;
  if (error?.task !== undefined) return error.task;
  if (isTerminal(state.status)) return latest(tasks.filter(wasCut), ({ started_at }) => started_at)?.id ?? null;
  return current_task ?? questions[0]?.task ?? waiting_for.find(({ task }) => task !== undefined)?.task ?? null;
}

const OPEN: readonly TaskStatus[] = ['running', 'waiting', 'backing_off', 'failed', 'cancelled'];
/** What was cancelled before it began has nothing to tell. */
const isOpen = ({ status, started_at }: TaskView) =>
  OPEN.includes(status) && (status !== 'cancelled' || started_at !== undefined);
const isDone = ({ status, reused }: TaskView) => status === 'succeeded' && !reused;
const wasCut = ({ status }: TaskView) => status === 'cancelled' || status === 'failed';

const taskOf = ({ id, kind, status, attempt, started_at, ended_at, error }: TaskView) => ({
  id,
  kind,
  status,
  attempt,
  started_at: started_at ?? null,
  ended_at: ended_at ?? null,
  error: error ? { code: error.code, message: error.message } : null,
});

const movedAt = (task: TaskView | undefined): string | undefined => task?.ended_at ?? task?.started_at;

/** Times in ISO 8601 sort as texts; of equal ones the last counts. */
function latest(tasks: TaskView[], at: (task: TaskView) => string | undefined): TaskView | undefined {
  let found: TaskView | undefined;
  for (const one of tasks) if (at(one) !== undefined && (found === undefined || at(one)! >= at(found)!)) found = one;
  return found;
}
