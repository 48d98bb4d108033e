import type { Request, Response } from 'express';
import { type EventStream, openEventStream } from './event-stream.ts';
import { callerIn } from './locals.ts';
import type { CallerWatch } from './still-allowed.ts';

/** What ends a stream from this side. */
export interface StreamEnds {
  watch: CallerWatch;
  /** Aborts when the server is about to end. */
  closing: AbortSignal;
}

/** Server-sent events for as long as the caller may read them and the server lasts. */
export function openLastingStream(request: Request, response: Response, { watch, closing }: StreamEnds): EventStream {
  const stream = openEventStream(response);
  if (stream.gone.aborted) return stream;
  const close = () => stream.close();
  const unwatch = watch.over(request, callerIn(response), close);
  closing.addEventListener('abort', close);
  stream.gone.addEventListener('abort', () => {
    unwatch();
    closing.removeEventListener('abort', close);
  });
  if (closing.aborted) close();
  return stream;
}
