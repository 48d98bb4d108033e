import type { Plan } from '../../api/types.ts';

export default function GanttView({ plan }: { plan: Plan }) {
  return <p>{plan.name}</p>;
}
