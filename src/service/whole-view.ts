import { childId } from '../contract/names.ts';
import type { TaskPage } from '../contract/payloads.ts';
import type { ChildView, IterationView, PlanView, TaskView } from '../plan/view.ts';
import type { WaitingFor } from '../plan/waiting-for.ts';

/** Tasks in one answer to a query: their outputs are small, so an answer stays below a megabyte. */
const PAGE_TASKS = 1_000;
/** Tasks at work that are named, of a map's items. */
const SHOWN_ITEMS = 10;

/** Asks a workflow, the plan or a child of it, for its view; undefined when it does not answer. */
export type AskView = (id: string, page: TaskPage, isChild: boolean) => Promise<PlanView | undefined>;

/** A plan's view with all its tasks, and with what its sub-plans, batches and segments show. */
export async function wholeView(id: string, ask: AskView, isChild = false): Promise<PlanView | undefined> {
  const view = await ask(id, { from: 0, limit: PAGE_TASKS }, isChild);
  if (!view) return undefined;
  for (let from = PAGE_TASKS; from < view.tasks_total; from += PAGE_TASKS) {
    const page = await ask(id, { from, limit: PAGE_TASKS }, isChild);
    if (!page) return undefined;
    view.tasks.push(...page.tasks);
  }
  const children = await Promise.all(
    view.children.map(async (child) => ({ child, of: await wholeView(childId(id, child.key), ask, true) })),
  );
  return children.reduce((whole, { child, of }) => (of ? MERGE[child.kind](whole, of, child) : whole), view);
}

const MERGE: Record<ChildView['kind'], (view: PlanView, of: PlanView, child: ChildView) => PlanView> = {
  segment(view, of) {
    const inside = new Map(of.tasks.map((task) => [task.id, task]));
    const { total } = view.progress;
    const done = view.progress.done + of.progress.done;
    const percentage = Math.min(99, Math.floor((done / total) * 100));
    return {
      ...common(view, of),
      tasks: view.tasks.map((task) => inside.get(task.id) ?? task),
      progress: { done, total, percentage },
      progress_percentage: percentage,
    };
  },

  plan(view, of, { task }) {
    const place = view.tasks.findIndex(({ id }) => id === task) + 1;
    return { ...common(view, of), tasks: view.tasks.toSpliced(place, 0, ...of.tasks) };
  },

  batch(view, of, { task }) {
    const own = of.tasks.filter(({ id }) => isItemOf(task, id));
    const count = (status: string) => own.filter((item) => item.status === status).length;
    const iteration = iterationOf(of.tasks, own);
    const withItems = (map: TaskView): TaskView => {
      if (map.id !== task || !map.items) return map;
      const { total, succeeded, failed, skipped } = map.items;
      const items = { succeeded: count('succeeded'), failed: count('failed'), skipped: count('skipped') };
      return {
        ...map,
        items: {
          total,
          succeeded: succeeded + items.succeeded,
          failed: failed + items.failed,
          skipped: skipped + items.skipped,
        },
        ...(iteration && { iteration }),
      };
    };
    return {
      ...common(view, { ...of, current_tasks: of.current_tasks.slice(-SHOWN_ITEMS) }),
      tasks: view.tasks.map(withItems),
    };
  },
};

/** What stands in an item that is a sub-plan is no item. */
const isItemOf = (map: string | undefined, id: string): boolean =>
  map !== undefined && id.startsWith(map) && /^\[\d+\]$/.test(id.slice(map.length));

/** Where the iteration at work is; of a map that is no plan's iterations nothing. */
function iterationOf(tasks: TaskView[], items: TaskView[]): IterationView | undefined {
  const item = items.find(({ input, started_at, ended_at }) => input && started_at && !ended_at);
  if (!item) return undefined;
  const own = /^\/[^/[]+$/;
  const steps = tasks.filter(({ id }) => id.startsWith(item.id) && own.test(id.slice(item.id.length)));
  const step = steps.findLastIndex(({ started_at }) => started_at !== undefined);
  if (item.kind !== 'plan') return { ...item.input!, step: 1, steps: 1 };
  const { id } = steps[step] ?? {};
  const at = id === undefined ? {} : { step: step + 1, steps: steps.length, task: id.slice(item.id.length + 1) };
  return { ...item.input!, ...at };
}

function common(view: PlanView, of: PlanView): PlanView {
  const current_tasks = [...view.current_tasks, ...of.current_tasks];
  return {
    ...view,
    current_tasks,
    current_task: current_tasks.at(-1) ?? null,
    questions: [...view.questions, ...of.questions],
    waiting_for: [...view.waiting_for, ...of.waiting_for.filter(isItsOwn)],
  };
}

/** A pause is its parent's. */
const isItsOwn = ({ what }: WaitingFor): boolean => what !== 'resume' && what !== 'review';
