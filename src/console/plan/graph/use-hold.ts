import { useMutation, useQuery } from '@tanstack/react-query';
import { call, requestId, taskPath } from '../../api/client.ts';
import { meQuery, planQuery, queryClient } from '../../api/queries.ts';
import type { CommandAccepted, Task } from '../../api/types.ts';
import { notify, notifyError } from '../../ui/notices.tsx';
import { type HoldOffer, holdOffer, type Standing } from './hold.ts';

interface Command {
  plan: string;
  task: string;
  action: HoldOffer['action'];
}

/** Sends it; what it did is shown once the plan itself says so. */
export async function sendHold({ plan, task, action }: Command): Promise<void> {
  const body = { request_id: requestId() };
  const accepted = await call<CommandAccepted | undefined>('PUT', taskPath(plan, task, `/${action}`), { body });
  if (accepted?.message) notify(accepted.message);
  await queryClient.refetchQueries({ queryKey: planQuery(plan).queryKey, exact: true });
}

/** The hold point of a task: what may be done with it, and how. */
export function useHold(plan: Standing, task: Task) {
  const { data: me } = useQuery(meQuery);
  const { mutate, isPending } = useMutation({ mutationFn: sendHold, onError: notifyError });
  const offer = holdOffer(plan, task, me);
  return {
    ...offer,
    isPending,
    send: () => {
      if (offer.refusal !== undefined) notify(offer.refusal);
      else if (!isPending) mutate({ plan: plan.plan_id, task: task.id, action: offer.action });
    },
  };
}
