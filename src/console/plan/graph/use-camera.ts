import { getViewportForBounds, useReactFlow, useStoreApi } from '@xyflow/react';
import { useEffect, useMemo, useRef } from 'react';
import { type Box, CARD, type Layout } from './layout.ts';
import type { Marks } from './marks.ts';

export interface Camera {
  /** When the graph is there: the whole of it, or where that would be too small what runs. */
  begin(current: string | null): void;
  /** Everything. */
  fit(): void;
  zoom(by: 'in' | 'out'): void;
  /** A task in the middle. */
  show(task: string, zoom?: number): void;
  /** A task somewhere in view, moving only if it is not. */
  reach(task: string): void;
  /** After a move: Tab leads to something that is to be seen. */
  moved(event: unknown): void;
}

/** Above and below there is room for what lies over the graph: the search, and its buttons. */
const FIT = { padding: { x: 0.08, top: '56px', bottom: '56px' }, maxZoom: 1 } as const;
const READABLE = 0.7;
/** What would be smaller begins with what runs instead of the whole. */
const LEAST_ZOOM = 0.25;
const GLIDE_MS = 250;

/** What is in view, and how that is changed. */
export function useCamera(layout: Layout, isLarge: boolean, marks: Marks): Camera {
  const flow = useReactFlow();
  const api = useStoreApi();
  const places = useRef(new Map<string, Box>());
  places.current = useMemo(() => new Map(layout.tasks.map((box) => [box.id, box])), [layout]);
  const byHand = useRef(false);
  const large = useRef(isLarge);
  large.current = isLarge;

  const camera = useMemo<Camera>(() => {
    const glide = () => ({ duration: matchMedia('(prefers-reduced-motion: reduce)').matches ? 0 : GLIDE_MS });
    const cardOf = ({ x, y, width }: Box): Box => ({ x, y, width, height: CARD.height });
    const isSeen = (box: Box): boolean => {
      const { width, height, transform } = api.getState();
      const [x, y, zoom] = transform;
      const [left, top] = [box.x * zoom + x, box.y * zoom + y];
      return left >= 0 && top >= 0 && left + box.width * zoom <= width && top + box.height * zoom <= height;
    };
    const centre = (box: Box, zoom: number, options: { duration?: number }) => {
      const card = cardOf(box);
      void flow.setCenter(card.x + card.width / 2, card.y + card.height / 2, { zoom, ...options });
    };
    const show = (task: string, zoom = Math.max(READABLE, flow.getZoom())) => {
      const box = places.current.get(task);
      if (box) centre(box, zoom, glide());
    };
    return {
      show,
      begin(current) {
        const { width, height } = api.getState();
        const bounds = flow.getNodesBounds(flow.getNodes());
        const { zoom } = getViewportForBounds(bounds, width, height, 0.01, 1, FIT.padding);
        const first = places.current.get(current ?? '') ?? places.current.values().next().value;
        if (first && zoom < LEAST_ZOOM) centre(first, READABLE, {});
        else void flow.fitView(FIT);
      },
      fit() {
        byHand.current = false;
        void flow.fitView({ ...FIT, ...glide() });
      },
      zoom(by) {
        byHand.current = true;
        void (by === 'in' ? flow.zoomIn(glide()) : flow.zoomOut(glide()));
      },
      reach(task) {
        const box = places.current.get(task);
        if (box && !isSeen(cardOf(box))) centre(box, flow.getZoom(), {});
      },
      moved(event) {
        if (event) byHand.current = true;
        const active = places.current.get(marks.activeId() ?? '');
        if (!large.current || (active && isSeen(cardOf(active)))) return;
        const seen = [...places.current].find(([, box]) => isSeen(cardOf(box)));
        if (seen) marks.mark('active', seen[0]);
      },
    };
  }, [flow, api, marks]);

  // Tasks that come or go leave the view as it is, once somebody has chosen it.
  const isFirst = useRef(true);
  // After every other layout.
  useEffect(() => {
    if (isFirst.current) isFirst.current = false;
    else if (!byHand.current && !large.current) void flow.fitView(FIT);
  }, [layout]);
  return camera;
}
