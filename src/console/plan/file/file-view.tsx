import type { Plan } from '../../api/types.ts';

export default function FileView({ plan }: { plan: Plan }) {
  return <p>{plan.name}</p>;
}
