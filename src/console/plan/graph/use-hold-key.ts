import { useQueryClient } from '@tanstack/react-query';
import { type KeyboardEvent, useCallback } from 'react';
import { meQuery } from '../../api/queries.ts';
import type { Me } from '../../api/types.ts';
import { notify, notifyError } from '../../ui/notices.tsx';
import { useGraph } from './graph-context.ts';
import { holdOffer } from './hold.ts';
import { taskAt } from './use-arrow-keys.ts';
import { sendHold } from './use-hold.ts';

/** `h` holds or releases the task that is at. */
export function useHoldKey() {
  const { store, standing } = useGraph();
  const client = useQueryClient();
  return useCallback(
    (event: KeyboardEvent) => {
      const id = event.key === 'h' && !event.repeat ? taskAt(event) : undefined;
      const shown = id === undefined ? undefined : store.tasks.get(id);
      if (id === undefined || !shown) return;
      const { action, refusal } = holdOffer(standing, shown.task, client.getQueryData<Me>(meQuery.queryKey));
      if (refusal !== undefined) notify(refusal);
      else sendHold({ plan: standing.plan_id, task: id, action }).catch(notifyError);
    },
    [store, standing, client],
  );
}
