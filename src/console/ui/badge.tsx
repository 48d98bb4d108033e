import type { PlanStatus } from '../../plan/lifecycle.ts';
import type { Task } from '../api/types.ts';
import { type BadgeLook, PLAN_BADGES, TASK_BADGES } from './badges.ts';

export function Badge({ look: { words, icon: Icon, tone }, title }: { look: BadgeLook; title?: string }) {
  return (
    <span className="badge" data-tone={tone} title={title}>
      <Icon aria-hidden size={14} />
      {words}
    </span>
  );
}

export const PlanBadge = ({ status }: { status: PlanStatus }) => <Badge look={PLAN_BADGES[status]} />;
export const TaskBadge = ({ status }: { status: Task['status'] }) => <Badge look={TASK_BADGES[status]} />;
