import { useEffect, useState } from 'react';
import { addressOf, call, taskPath } from '../../api/client.ts';
import type { AttemptLog } from '../../api/types.ts';
import { tellConnection } from '../../live/connection.ts';
import { whileVisible } from '../../live/visible.ts';
import { type LogBuffer, type LogPiece, logBuffer, nameOf } from './log-buffer.ts';

/** One attempt's log, or with `run` alone those of all its attempts. */
export interface LogChoice {
  run: number;
  attempt?: number;
  dispatch?: number;
  again?: number;
}

export interface LiveLog {
  buffer: LogBuffer;
  /** Goes up with whatever comes. */
  version: number;
  is: 'opening' | 'live' | 'ended';
  error?: unknown;
}

/** Of more than so many bytes only the last lines are read. */
const WHOLE_BYTES = 8_000_000;
const TAIL_LINES = 40_000;
/** What comes is drawn so often at most. */
const DRAW_MS = 80;
const AGAIN_MS = 2_000;

const opening = (): LiveLog => ({ buffer: logBuffer(), version: 0, is: 'opening' });

/** A task's log as it is written, for as long as the component is there and the page is seen. */
export function useLog(planId: string, task: string, choice: LogChoice): LiveLog {
  const [log, setLog] = useState(opening);
  const { run, attempt, dispatch, again } = choice;
  useEffect(() => {
    setLog(opening());
    const only =
      dispatch === undefined ? undefined : nameOf({ run, attempt: attempt!, dispatch, ...(again && { again }) });
    let hasEnded = false;
    return whileVisible(() => {
      if (hasEnded) return () => {};
      return follow(planId, task, { run, attempt }, only, (next) => {
        hasEnded = next.is === 'ended';
        setLog(next);
      });
    });
  }, [planId, task, run, attempt, dispatch, again]);
  return log;
}

function follow(
  planId: string,
  task: string,
  query: { run: number; attempt: number | undefined },
  only: string | undefined,
  tell: (log: LiveLog) => void,
): () => void {
  const name = `log ${planId} ${task}`;
  const path = taskPath(planId, task, '/logs');
  const buffer = logBuffer();
  const controller = new AbortController();
  let source: EventSource | undefined;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let again: ReturnType<typeof setTimeout> | undefined;
  let version = 0;
  /** What it has by now is on its way. */
  let isReading = false;
  const draw = (is: LiveLog['is']) => {
    clearTimeout(timer);
    timer = undefined;
    version += 1;
    tell({ buffer, version, is });
  };
  const open = async () => {
    try {
      const { attempts } = await call<{ attempts: AttemptLog[] }>('GET', path, { query, signal: controller.signal });
      const wanted = attempts.filter((each) => only === undefined || nameOf(each) === only);
      isReading = buffer.lines.length === 0 && wanted.some(({ bytes }) => bytes > 0);
      listen(attempts.reduce((sum, { bytes }) => sum + bytes, 0) > WHOLE_BYTES);
    } catch (error) {
      if (!controller.signal.aborted) tell({ buffer, version, is: 'opening', error });
    }
  };
  const listen = (isLong: boolean) => {
    source = new EventSource(addressOf(path, { ...query, ...(isLong && { tail: TAIL_LINES }) }));
    source.onopen = () => {
      tellConnection(name, 'connected');
      draw(isReading ? 'opening' : 'live');
    };
    source.onerror = () => {
      if (source?.readyState !== EventSource.CLOSED) return tellConnection(name, 'lost');
      again = setTimeout(open, AGAIN_MS);
    };
    source.addEventListener('output', ({ data }: MessageEvent<string>) => {
      const piece = JSON.parse(data) as LogPiece;
      if (only !== undefined && nameOf(piece) !== only) return;
      buffer.take(piece);
      isReading = false;
      timer ??= setTimeout(() => draw('live'), DRAW_MS);
    });
    source.addEventListener('end', () => {
      source?.close();
      tellConnection(name, 'gone');
      draw('ended');
    });
  };
  void open();
  return () => {
    controller.abort();
    clearTimeout(timer);
    clearTimeout(again);
    source?.close();
    tellConnection(name, 'gone');
  };
}
