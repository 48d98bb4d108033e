import type { Plan } from '../../api/types.ts';

export default function EventsView({ plan }: { plan: Plan }) {
  return <p>{plan.name}</p>;
}
