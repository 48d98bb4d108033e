import type { TaskDefinition } from './definition.ts';
import { isTerminal } from './lifecycle.ts';
import { nameOf, type Plan, taskAt } from './plan.ts';
import type { TaskState, TaskStatus } from './state.ts';
import { type PlanView, viewOf } from './view.ts';

/** Operators read the table at a glance; of a larger plan it shows what is going on. */
const MOST_ROWS = 40;
const MOST_REASONS = 5;
const LONGEST_NOTE = 120;

/**
 * A plan as Markdown for the Temporal Web UI, where it stands as the workflow's current details: how far it is, what it
 * waits for, and its tasks.
 */
export function planDetails(plan: Plan, now: number): string {
  const view = viewOf(plan, now, { from: 0, limit: 0 });
  const rows = rowsOf(plan);
  const left = plan.definition.tasks.length - plan.given - rows.length;
  const reasons = view.waiting_for.slice(0, MOST_REASONS).map(({ text }) => `- waits for ${cell(text)}`);
  return [
    headline(view),
    ...(reasons.length > 0 ? ['', ...reasons] : []),
    '',
    '| task | kind | status | attempt | note |',
    '| --- | --- | --- | --- | --- |',
    ...rows.map((i) => row(plan, i)),
    ...(left > 0 ? ['', `and ${left} more`] : []),
  ].join('\n');
}

function headline({ state, pausing, stopping, progress, error, run }: PlanView): string {
  const words = stopping ? ', being stopped' : pausing ? ', pausing' : '';
  const { done, total, percentage } = progress;
  const parts = [
    `**${state.status}**${words}`,
    `${done} of ${total} tasks done (${percentage} %)`,
    ...(run > 1 ? [`run ${run}`] : []),
    ...(error && isTerminal(state.status)
      ? [cell(error.task ? `${error.task}: ${error.message}` : error.message)]
      : []),
  ];
  return parts.join(' · ');
}

/** All tasks of a small plan; of a large one those that somebody looks for. */
function rowsOf({ definition, given, index }: Plan): number[] {
  const count = definition.tasks.length - given;
  if (count <= MOST_ROWS) return Array.from({ length: count }, (_, k) => given + k);
  const { fatal, questions, held, running, maps, asides, children, clocks, ready } = index;
  const subPlans = Array.from(children.values(), ({ what }) => (what.kind === 'plan' ? [what.task] : [])).flat();
  const found = new Set<number>();
  for (const list of [fatal, questions, held, running, maps, asides, subPlans, clocks, ready])
    for (const i of list) if (found.size < MOST_ROWS) found.add(i);
  return [...found];
}

function row(plan: Plan, i: number): string {
  const { task, at } = taskAt(plan, i);
  const attempt = task.retry.max_attempts > 1 && at.attempts > 0 ? `${at.attempts} of ${task.retry.max_attempts}` : '';
  const name = `\`${nameOf(plan, i)}\``;
  return `| ${name} | ${task.kind} | ${MARKS[at.status]} ${at.status} | ${attempt} | ${cell(noteOf(plan, task, at))} |`;
}

const MARKS: Record<TaskStatus, string> = {
  pending: '·',
  running: '▶',
  waiting: '…',
  backing_off: '↻',
  succeeded: '✓',
  failed: '✗',
  skipped: '–',
  cancelled: '■',
};

function noteOf(plan: Plan, task: TaskDefinition, at: TaskState): string {
  if (at.hold) return `held by ${at.hold.by}`;
  if (at.reused) return 'reused';
  if (at.question) return at.question.prompt;
  if (at.answered?.record.choice !== undefined) return `${at.answered.record.choice}, by ${at.answered.record.by}`;
  const told = at.error?.message ?? at.reason;
  if (told !== undefined) return told;
  if (at.status !== 'pending' || task.needs.length === 0) return '';
  return `after ${task.needs.map((need) => nameOf(plan, need)).join(', ')}`;
}

/** One line that ends no cell and begins no markup. */
function cell(text: string): string {
  const line = text.replace(/\s+/g, ' ').trim();
  const short = line.length > LONGEST_NOTE ? `${line.slice(0, LONGEST_NOTE - 1)}…` : line;
  return short.replace(/[\\|`*_[\]<>#]/g, '\\$&');
}
