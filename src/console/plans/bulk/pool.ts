import { Problem } from '../../api/client.ts';
import { isPassing } from '../../api/queries.ts';

/** Calls at a time: a browser has six connections. */
const AT_A_TIME = 6;
const TRIES = 3;
const AGAIN_MS = 1_000;
/** The API counts by the minute. */
const TOO_MANY_MS = 5_000;
const TOO_MANY_TRIES = 15;

/** Does something for each, some at a time, until all are done or the signal says to begin no more. */
export async function forEach<T>(items: T[], signal: AbortSignal, work: (item: T) => Promise<void>): Promise<void> {
  const queue = items.values();
  const lane = async () => {
    for (const item of queue) {
      if (signal.aborted) return;
      await work(item);
    }
  };
  await Promise.all(Array.from({ length: AT_A_TIME }, lane));
}

/** Tries again what may be tried again: what nobody answered, and what came too fast. */
export async function tried<T>(work: () => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries++)
    try {
      return await work();
    } catch (error) {
      const tooMany = error instanceof Problem && error.code === 'RATE_LIMITED';
      if (tries >= (tooMany ? TOO_MANY_TRIES : TRIES) || !(tooMany || isPassing(error))) throw error;
      await new Promise((resolve) => setTimeout(resolve, tooMany ? TOO_MANY_MS : AGAIN_MS));
    }
}
