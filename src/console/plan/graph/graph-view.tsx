import type { Plan } from '../../api/types.ts';

export default function GraphView({ plan }: { plan: Plan }) {
  return <p>{plan.name}</p>;
}
