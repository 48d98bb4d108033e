import { type LayoutRequest, layoutOf } from './layout.ts';

/** Beside the page, which goes on taking clicks meanwhile. */
self.onmessage = ({ data: { n, request } }: MessageEvent<{ n: number; request: LayoutRequest }>) =>
  self.postMessage({ n, layout: layoutOf(request) });
