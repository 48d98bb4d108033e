import { once } from 'node:events';
import type { Response } from 'express';

/** One message of a stream. Text is sent as it is, line by line; everything else as JSON. */
export interface StreamEvent {
  /** What a reader gives back as `Last-Event-ID` when it comes again. */
  id?: string;
  event?: string;
  data: unknown;
}

export interface EventStream {
  /** Resolves when the reader has room for more; at once when it is gone. */
  send(event: StreamEvent): Promise<void>;
  /** Aborts when the reader has gone, or the stream was closed: nothing more need be read for it. */
  gone: AbortSignal;
  close(): void;
}

/** Proxies end connections that are silent for longer than a minute or so. */
const HEARTBEAT_MS = 15_000;

/** Answers with server-sent events (text/event-stream, as in the HTML standard). Whoever opens it closes it. */
export function openEventStream(response: Response, heartbeatMs = HEARTBEAT_MS): EventStream {
  const gone = new AbortController();
  response.status(200).set({
    'Content-Type': 'text/event-stream; charset=utf-8',
    'Cache-Control': 'no-cache, no-transform',
    // nginx would hold the events back.
    'X-Accel-Buffering': 'no',
  });
  response.flushHeaders();
  // A reader that is behind knows that the stream lives by what it still has to read.
  const heartbeat = setInterval(() => response.writableNeedDrain || response.write(':\n\n'), heartbeatMs);
  const end = () => {
    clearInterval(heartbeat);
    gone.abort();
  };
  response.on('close', end).on('error', end);
  if (response.destroyed || response.writableEnded) end();

  return {
    gone: gone.signal,
    async send(event) {
      if (gone.signal.aborted || response.write(eventText(event))) return;
      await once(response, 'drain', { signal: gone.signal }).catch(() => {});
    },
    close() {
      end();
      response.end();
    },
  };
}

/** An id or a name with a line break in it would end its line. */
function eventText({ id, event, data }: StreamEvent): string {
  const text = typeof data === 'string' ? data : JSON.stringify(data);
  const fields: [string, string][] = [];
  if (id !== undefined) fields.push(['id', oneLine(id)]);
  if (event !== undefined) fields.push(['event', oneLine(event)]);
  for (const line of text.split(/\r\n|\r|\n/)) fields.push(['data', line]);
  return `${fields.map(([name, value]) => `${name}: ${value}\n`).join('')}\n`;
}

const oneLine = (text: string): string => text.replace(/[\r\n\0]/g, ' ');
