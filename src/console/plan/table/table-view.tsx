import type { Plan } from '../../api/types.ts';

export default function TableView({ plan }: { plan: Plan }) {
  return <p>{plan.name}</p>;
}
