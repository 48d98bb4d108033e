import { useQueryClient } from '@tanstack/react-query';
import { type KeyboardEvent, useCallback } from 'react';
import { meQuery } from '../../api/queries.ts';
import type { Me } from '../../api/types.ts';
import { notify, notifyError } from '../../ui/notices.tsx';
import { useGraph } from './graph-context.ts';
import { holdOffer } from './hold.ts';
import type { Layout } from './layout.ts';
import { type Arrow, neighbour } from './neighbour.ts';
import type { Camera } from './use-camera.ts';
import { sendHold } from './use-hold.ts';

const ARROWS: Record<string, Arrow> = { ArrowUp: 'up', ArrowDown: 'down', ArrowLeft: 'left', ArrowRight: 'right' };

/** From node to node by the arrow keys; `h` holds or releases the one that is at. */
export function useArrowKeys({ tasks }: Layout, camera: Camera) {
  const { store, standing } = useGraph();
  const client = useQueryClient();
  return useCallback(
    (event: KeyboardEvent) => {
      const button = (event.target as Element).closest('.task-open');
      const id = button?.closest<HTMLElement>('[data-task]')?.dataset.task;
      if (id === undefined || event.ctrlKey || event.metaKey || event.altKey) return;
      const arrow = ARROWS[event.key];
      if (arrow) {
        event.preventDefault();
        const next = neighbour(tasks, id, arrow);
        if (next === undefined) return;
        camera.reach(next);
        store.wantsFocus = true;
        store.mark('active', next);
      }
      const shown = event.key === 'h' && store.tasks.get(id);
      if (!shown || event.repeat) return;
      const { action, refusal } = holdOffer(standing, shown.task, client.getQueryData<Me>(meQuery.queryKey));
      if (refusal !== undefined) notify(refusal);
      else sendHold({ plan: standing.plan_id, task: id, action }).catch(notifyError);
    },
    [tasks, camera, store, standing, client],
  );
}
