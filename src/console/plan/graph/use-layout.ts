import { useEffect, useMemo, useState } from 'react';
import type { Size } from './arrange.ts';
import type { Layout, LayoutRequest, LayoutTask } from './layout.ts';

interface Answered {
  layout?: Layout;
  error?: Error;
}

// Begun with the code of the graph, so that it is there when the plan is.
const worker = new Worker(new URL('./layout-worker.ts', import.meta.url), { type: 'module' });
let last = 0;

/** Where everything is, worked out beside the page and anew only when there are other tasks or needs; not before the frame is known. */
export function useLayout(tasks: LayoutTask[], frame: Size | undefined): Answered {
  const [answered, answer] = useState<Answered>({});
  const signature = useMemo(() => tasks.map(({ id, needs }) => `${id}<${needs.join()}`).join('\n'), [tasks]);
  const isWide = frame && frame.width > frame.height;
  // Statuses and a few pixels move nothing.
  useEffect(() => {
    if (!frame) return;
    return ask(
      { tasks: tasks.map(({ id, needs, handler }) => ({ id, needs, ...(handler && { handler }) })), frame },
      answer,
    );
  }, [signature, isWide]);
  return answered;
}

/** Gives what ends the waiting for an answer that is wanted no more. */
function ask(request: LayoutRequest, answer: (answered: Answered) => void): () => void {
  last += 1;
  const n = last;
  const take = ({ data }: MessageEvent<{ n: number; layout: Layout }>) => {
    if (data.n !== n) return;
    end();
    answer({ layout: data.layout });
  };
  const fail = ({ message }: ErrorEvent) => {
    end();
    answer({ error: new Error(`The graph could not be drawn: ${message}`) });
  };
  const end = () => {
    worker.removeEventListener('message', take);
    worker.removeEventListener('error', fail);
  };
  worker.addEventListener('message', take);
  worker.addEventListener('error', fail);
  worker.postMessage({ n, request });
  return end;
}
