import { useEffect, useMemo, useRef, useState } from 'react';
import type { Task } from '../../api/types.ts';
import type { Size } from './arrange.ts';
import type { Layout, LayoutRequest } from './layout.ts';

interface Answered {
  layout?: Layout;
  error?: Error;
}

/** Where everything is, worked out beside the page and anew only when there are other tasks or needs; not before the frame is known. */
export function useLayout(tasks: Task[], frame: Size | undefined): Answered {
  const [answered, answer] = useState<Answered>({});
  const worker = useRef<Worker>(undefined);
  const last = useRef(0);
  useEffect(() => {
    const made = new Worker(new URL('./layout-worker.ts', import.meta.url), { type: 'module' });
    made.onmessage = ({ data: { n, layout } }: MessageEvent<{ n: number; layout: Layout }>) => {
      if (n === last.current) answer({ layout });
    };
    made.onerror = ({ message }) => answer({ error: new Error(`The graph could not be drawn: ${message}`) });
    worker.current = made;
    return () => made.terminate();
  }, []);
  const signature = useMemo(() => tasks.map(({ id, needs }) => `${id}<${needs.join()}`).join('\n'), [tasks]);
  const isWide = frame && frame.width > frame.height;
  // Statuses and a few pixels move nothing
  useEffect(() => {
    if (!frame) return;
    last.current += 1;
    const request: LayoutRequest = {
      tasks: tasks.map(({ id, needs, handler }) => ({ id, needs, ...(handler && { handler }) })),
      frame,
    };
    worker.current?.postMessage({ n: last.current, request });
  }, [signature, isWide]);
  return answered;
}
