/** Views of a plan, in the order of their tabs. */
export const PLAN_VIEWS = ['graph', 'table', 'timeline', 'events', 'logs', 'file'] as const;
export type PlanViewName = (typeof PLAN_VIEWS)[number];

/** What the address of a plan's page says: which view, and which task is looked at. */
export interface PlanSearch {
  view?: PlanViewName;
  task?: string;
}

export function planSearch(search: Record<string, unknown>): PlanSearch {
  const view = PLAN_VIEWS.find((name) => name === search.view);
  // A search that looks like a number is read as one.
  const task = typeof search.task === 'string' || typeof search.task === 'number' ? String(search.task) : undefined;
  return { ...(view && { view }), ...(task !== undefined && { task }) };
}
