import type { Plan } from '../../api/types.ts';

/** What the plan waits for and asks. */
export function Attention({ plan }: { plan: Plan }) {
  return <p>{plan.waiting_for.length}</p>;
}
