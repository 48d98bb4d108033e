import { z } from 'zod';
import type { Json } from '../../plan/json.ts';
import { COMMAND_NAMES } from '../../plan/lifecycle.ts';
import { type HoldReason, TASK_STATUSES } from '../../plan/state.ts';
import type { QuestionView } from '../../plan/view.ts';
import type { WaitingFor } from '../../plan/waiting-for.ts';
import type { ReadPlan } from '../../service/read-plan.ts';
import { planState, time } from './plan-state.ts';

const json = z.custom<Json>();
const count = z.int().min(0);
const jsonObject = z.record(z.string(), json);
const taskError = z.object({ message: z.string(), code: z.string(), details: json.optional() });

const task: z.ZodType<ReadPlan['tasks'][number]> = z
  .object({
    id: z.string(),
    kind: z.string(),
    status: z.enum(TASK_STATUSES),
    attempt: count,
    max_attempts: count,
    needs: z.array(z.string()),
    outputs: jsonObject.optional(),
    error: taskError.optional(),
    reason: z.string().optional(),
    answer: z
      .object({
        choice: z.string().optional(),
        values: jsonObject.optional(),
        comment: z.string().optional(),
        by: z.string(),
        at: time,
      })
      .optional(),
    hold: z.object({ since: time, by: z.string(), comment: z.string().optional() }).optional(),
    started_at: time.optional(),
    ended_at: time.optional(),
    due_at: time.optional().describe('When a wait or a back-off ends; absent while the plan is held'),
    reused: z.literal(true).optional().describe('An earlier run finished it'),
    handler: z.enum(['on_failure', 'on_success', 'finally']).optional(),
    items: z.object({ total: count, succeeded: count, failed: count, skipped: count }).optional().describe('Of a map'),
    iteration: z
      .object({
        input: count,
        of: count,
        name: z.string(),
        step: count.optional(),
        steps: count.optional(),
        task: z.string().optional().describe('Id of the step'),
      })
      .optional()
      .describe('Of the task `iterate` of a plan with `iterate`, while it is at work: which input, and which step'),
    input: z
      .object({ input: count, of: count, name: z.string() })
      .optional()
      .describe('Of one iteration: what it works on'),
    queued: z.literal(true).optional().describe('No worker has taken it yet'),
    last_output_at: time.optional(),
    last_llm_call_at: time.optional().describe('When its attempt last called a model'),
    silent_ms: count.optional().describe('For how long nothing was written, once that is worth a look'),
  })
  .meta({ id: 'Task' });

const question: z.ZodType<QuestionView> = z
  .object({
    id: z.string(),
    task: z.string(),
    kind: z.string(),
    prompt: z.string(),
    options: z.array(z.string()),
    form: jsonObject.optional().describe('JSON Schema of the `values` to give'),
    opened_at: time,
    expires_at: time.nullable(),
    overdue: z.literal(true).optional(),
  })
  .meta({ id: 'Question' });

const waitingFor: z.ZodType<WaitingFor> = z
  .object({
    what: z.enum([
      'review',
      'resume',
      'start_time',
      'question',
      'wait',
      'back_off',
      'release',
      'slot',
      'group',
      'next_run',
    ]),
    task: z.string().optional(),
    since: time.optional(),
    until: time.optional(),
    by: z.string().optional(),
    text: z.string(),
  })
  .meta({ id: 'WaitingFor' });

/** A plan as it is read. */
const HOLD_REASONS = [
  'paused',
  'interrupted',
  'server_restart',
  'cost_limit',
  'provider_limit',
  'review',
  'hand',
] as const satisfies HoldReason[];

const limitDetails = z
  .object({
    limit: z.enum(['plan', 'chat', 'day_tokens', 'day_cost', 'project', 'provider']),
    spent: z.number().optional().describe('What is settled, and what others have reserved'),
    max: z.number().optional(),
    needed: z.number().optional().describe('What the call asked for that was refused'),
    unit: z.enum(['tokens', 'cost']).optional(),
    tokens: z.number().optional().describe('All that the call asked for, in tokens'),
    cost: z.number().optional().describe('The same in money'),
    message: z.string().optional().describe('What the provider said'),
    resets_at: z.string().optional().describe('When the provider’s limit is lifted, as it says'),
    chat: z.string().optional(),
    project: z.string().optional(),
  })
  .describe('The limit that was reached');

export const planView: z.ZodType<ReadPlan> = z
  .object({
    plan_id: z.uuid(),
    workflow_id: z.string().describe('The plan in Temporal: its Workflow Id'),
    name: z.string(),
    state: planState,
    run: count,
    pausing: z.boolean().describe('A pause waits for running tasks to end'),
    stopping: z.boolean().describe('What runs is being ended'),
    progress: z.object({ done: count, total: count, percentage: count }),
    progress_percentage: count,
    position: z
      .object({ step: count, steps: count, iteration: count.optional(), iterations: count.optional() })
      .describe('Which step is next or under way, from 1; of a plan that works through inputs, also for which of them'),
    current_task: z.string().nullable(),
    current_tasks: z.array(z.string()),
    tasks: z.array(task),
    tasks_total: count,
    children: z
      .array(z.object({ key: z.string(), kind: z.enum(['plan', 'batch', 'segment']), task: z.string().optional() }))
      .describe(
        'Workflows at work for this plan: the Workflow Id of each is the plan’s `workflow_id`, a slash, and its key',
      ),
    questions: z.array(question),
    waiting_for: z.array(waitingFor),
    allowed_actions: z.array(z.enum(COMMAND_NAMES as [(typeof COMMAND_NAMES)[number]])),
    error: taskError.extend({ task: z.string().optional() }).nullable(),
    deadline_at: time.nullable(),
    hold: z
      .object({
        reason: z.enum(HOLD_REASONS),
        since: time,
        by: z.string(),
        message: z.string().optional().describe('Of a limit: in words, with its numbers'),
        details: limitDetails.optional(),
      })
      .optional()
      .describe('What holds the plan while it is paused, or about to be; absent otherwise'),
    concurrency: z
      .object({
        group: z.string(),
        max: count,
        slot: z.enum(['held', 'waiting', 'none']).describe('`none`: it needs none now'),
        place: count.optional().describe('Of one that waits: 1 is next'),
        running: z.array(z.string()).optional().describe('Of one that waits: plans of the group that have a slot'),
      })
      .optional()
      .describe('How it stands in its group, where it is in one'),
    worktree: z
      .object({ repository: z.string(), path: z.string(), branch: z.string(), base: z.string() })
      .optional()
      .describe('The Git worktree that its commands run in, its branch, and the commit which that began from'),
    created_at: time,
    created_by: z.string(),
    updated_at: time,
    seq: count,
    stuck: z.string().optional().describe('The workflow code of the worker cannot go on with it, and why'),
    freshness: z
      .object({ live: z.boolean(), at: time, message: z.string().optional() })
      .describe('Whether the plan itself was asked just now, or this is the last that is known of it'),
  })
  .meta({ id: 'Plan' });
