import type { Colors } from 'picocolors/types.js';
import { formatDuration } from '../../plan/duration.ts';
import type { PlanStatus } from '../../plan/lifecycle.ts';
import type { ReadPlan } from '../../service/read-plan.ts';
import type { Cli } from '../cli.ts';
import { coloured } from './colours.ts';
import { answerCommand } from './commands.ts';
import { renderTable } from './table.ts';
import { count, localTime, oneLine } from './text.ts';

/** A plan for people: what it is, where it stands, what it waits for, its tasks, and what can be done next. */
export function planViewLines(view: ReadPlan, cli: Pick<Cli, 'self' | 'out'>): string[] {
  const { colours } = cli.out;
  const tasks = view.tasks.map((task) => taskRow(task, colours));
  return [
    `${colours.bold(oneLine(view.name))}  ${coloured(view.state.status, colours, stateInWords(view))}`,
    ...facts(view, cli).map(([name, fact]) => `  ${name.padEnd(9)}  ${fact}`),
    ...(tasks.length > 0 ? ['', ...renderTable(['TASK', 'KIND', 'STATUS', 'ATTEMPT', 'TOOK', 'NOTE'], tasks)] : []),
  ];
}

function stateInWords({ state, pausing, stopping, concurrency }: ReadPlan): string {
  if (stopping) return `${state.status}, being stopped`;
  if (pausing) return `${state.status}, pausing`;
  if (concurrency?.slot === 'waiting') return `${state.status}, waits for its turn`;
  return state.status === 'stand_by' ? `stand_by until ${localTime(state.next_execution_at)}` : state.status;
}

type Fact = [name: string, fact: string];

function facts(view: ReadPlan, cli: Pick<Cli, 'self'>): Fact[] {
  const { plan_id, run, progress, error, freshness, created_by } = view;
  const by = `${created_by && ` by ${oneLine(created_by)}`}${run > 1 ? `, run ${run}` : ''}`;
  const list: Fact[] = [
    ['plan', plan_id],
    ['created', `${localTime(view.created_at)}${by}`],
  ];
  if (progress.total > 0)
    list.push(['done', `${progress.done} of ${count(progress.total, 'task')} (${progress.percentage} %)`]);
  if (!freshness.live) list.push(['note', oneLine(freshness.message ?? 'last known state')]);
  if (error) list.push(['error', `${error.task ? `task ${error.task}: ` : ''}${oneLine(error.message)}`]);
  for (const { text, until } of view.waiting_for)
    list.push(['waits for', oneLine(until ? text.replace(until, localTime(until)) : text)]);
  for (const question of view.questions) list.push(['answer', answerCommand(cli, plan_id, question)]);
  for (const command of nextSteps(view, cli)) list.push(['next', command]);
  return list;
}

/** Commands on the whole plan that would be taken now; questions and hold points are shown where they are. */
function nextSteps({ state, plan_id, allowed_actions }: ReadPlan, { self }: Pick<Cli, 'self'>): string[] {
  const ended: readonly PlanStatus[] = ['failed', 'stopped'];
  const names = ended.includes(state.status)
    ? ['resume', 'retry']
    : allowed_actions.filter((name) => name === 'pause' || name === 'resume' || name === 'stop');
  return names.map((name) => `${self} ${name} ${plan_id}`);
}

type Task = ReadPlan['tasks'][number];

const taskRow = (task: Task, colours: Colors): string[] => [
  task.id,
  task.kind,
  coloured(task.status, colours),
  task.max_attempts > 1 && task.attempt > 0
    ? `${task.attempt}/${task.max_attempts}`
    : task.attempt > 0
      ? `${task.attempt}`
      : '',
  task.started_at && task.ended_at && !task.reused
    ? formatDuration(Date.parse(task.ended_at) - Date.parse(task.started_at))
    : '',
  noteOf(task),
];

function noteOf(task: Task): string {
  const { status, error, reason, hold, due_at, answer, needs, reused, queued, silent_ms, items, handler } = task;
  const notes = [
    hold && `held by ${hold.by}${hold.comment ? `: ${hold.comment}` : ''}`,
    reused && 'reused',
    items && itemsInWords(items),
    answer?.choice !== undefined && `${answer.choice}, by ${answer.by}`,
    error?.message ?? reason,
    queued && 'waits for a worker',
    silent_ms !== undefined && `no output for ${formatDuration(Math.floor(silent_ms / 60_000) * 60_000)}`,
    due_at && `until ${localTime(due_at)}`,
    status === 'pending' && handler && `for ${handler}`,
    status === 'pending' && needs.length > 0 && `after ${needs.join(', ')}`,
  ];
  return oneLine(notes.filter(Boolean).join('; '));
}

function itemsInWords({ total, succeeded, failed, skipped }: NonNullable<Task['items']>): string {
  const others = [failed > 0 && `${failed} failed`, skipped > 0 && `${skipped} skipped`].filter(Boolean);
  return [`${succeeded} of ${count(total, 'item')} done`, ...others].join(', ');
}
