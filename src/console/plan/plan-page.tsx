import { getRouteApi } from '@tanstack/react-router';
import { Tabs } from 'radix-ui';
import { useEffect } from 'react';
import { Problem } from '../api/client.ts';
import type { Plan } from '../api/types.ts';
import { usePlan } from '../live/plan.ts';
import { Failure } from '../ui/failure.tsx';
import { part } from '../ui/part.tsx';
import { plainText } from '../ui/plain-text.ts';
import { Attention } from './attention/attention.tsx';
import { PlanHeader } from './header/plan-header.tsx';
import { PLAN_VIEWS, type PlanViewName } from './search.ts';
import { TaskPanel } from './task/task-panel.tsx';
import './plan-page.css';

const route = getRouteApi('/plans/$planId');

/** Their code comes when it is wanted: a graph and an editor are much. */
const LOAD: Record<PlanViewName, () => Promise<{ default: React.ComponentType<{ plan: Plan }> }>> = {
  graph: () => import('./graph/graph-view.tsx'),
  table: () => import('./table/table-view.tsx'),
  timeline: () => import('./gantt/gantt-view.tsx'),
  events: () => import('./events/events-view.tsx'),
  logs: () => import('./logs/logs-view.tsx'),
  file: () => import('./file/file-view.tsx'),
};
const VIEWS: Record<PlanViewName, { words: string; view: React.ComponentType<{ plan: Plan }> }> = {
  graph: { words: 'Graph', view: part(LOAD.graph) },
  table: { words: 'Tasks', view: part(LOAD.table) },
  timeline: { words: 'Timeline', view: part(LOAD.timeline) },
  events: { words: 'Events', view: part(LOAD.events) },
  logs: { words: 'Logs', view: part(LOAD.logs) },
  file: { words: 'Plan file', view: part(LOAD.file) },
};

/** One plan: what it is doing, what it waits for, and what may be done about it. */
export function PlanPage() {
  const { planId } = route.useParams();
  const { view = 'graph' } = route.useSearch();
  // Beside the plan, not after it.
  useEffect(() => void LOAD[view]().catch(() => {}), [view]);
  const { data: plan, error, refetch } = usePlan(planId);
  useEffect(() => {
    if (plan) document.title = `${plainText(plan.name)} – ${plan.state.status} – Holdpoint`;
  }, [plan]);
  // What is no more, or is somebody else's, is not shown any longer; while nobody answers, what was known is.
  const isGone = error instanceof Problem && [403, 404].includes(error.status);
  if (error && (!plan || isGone)) return <Failure error={error} retry={() => void refetch()} />;
  if (!plan) return <p className="muted">Reading the plan …</p>;
  return (
    <>
      <PlanHeader plan={plan} />
      <Attention plan={plan} />
      <PlanViews plan={plan} />
    </>
  );
}

function PlanViews({ plan }: { plan: Plan }) {
  const { view = 'graph', task: id } = route.useSearch();
  const navigate = route.useNavigate();
  const choose = (name: string) =>
    navigate({ search: (old) => ({ ...old, view: name as PlanViewName }), replace: true });
  const task = plan.tasks.find((each) => each.id === id);
  return (
    <div className="plan-views" data-with-task={task !== undefined || undefined}>
      <Tabs.Root className="tabs" value={view} onValueChange={choose} activationMode="manual">
        <Tabs.List className="tab-list" aria-label="Views of the plan">
          {PLAN_VIEWS.map((name) => (
            <Tabs.Trigger key={name} className="tab" value={name}>
              {VIEWS[name].words}
            </Tabs.Trigger>
          ))}
        </Tabs.List>
        {PLAN_VIEWS.map((name) => {
          const { view: View } = VIEWS[name];
          return (
            <Tabs.Content key={name} className="tab-content" value={name}>
              <View plan={plan} />
            </Tabs.Content>
          );
        })}
      </Tabs.Root>
      {task && <TaskPanel plan={plan} task={task} />}
    </div>
  );
}
