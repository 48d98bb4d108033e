import { type KeyboardEvent, useCallback } from 'react';
import type { Layout } from './layout.ts';
import type { Marks } from './marks.ts';
import { type Arrow, neighbour } from './neighbour.ts';
import type { Camera } from './use-camera.ts';

const ARROWS: Record<string, Arrow> = { ArrowUp: 'up', ArrowDown: 'down', ArrowLeft: 'left', ArrowRight: 'right' };

/** From node to node by the arrow keys. */
export function useArrowKeys({ tasks }: Layout, camera: Camera, marks: Marks) {
  return useCallback(
    (event: KeyboardEvent) => {
      const arrow = ARROWS[event.key];
      const id = arrow && taskAt(event);
      if (id === undefined) return;
      event.preventDefault();
      const next = neighbour(tasks, id, arrow!);
      if (next === undefined) return;
      camera.reach(next);
      marks.wantsFocus = true;
      marks.mark('active', next);
    },
    [tasks, camera, marks],
  );
}

/** The task at whose node a key was pressed alone. */
export function taskAt({ target, ctrlKey, metaKey, altKey }: KeyboardEvent): string | undefined {
  if (ctrlKey || metaKey || altKey) return undefined;
  return (target as Element).closest('.task-open')?.closest<HTMLElement>('[data-task]')?.dataset.task;
}
