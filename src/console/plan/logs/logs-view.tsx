import type { Plan } from '../../api/types.ts';

export default function LogsView({ plan }: { plan: Plan }) {
  return <p>{plan.name}</p>;
}
