import { setTimeout as delay } from 'node:timers/promises';
import { asFault } from '../faults.ts';
import { callerFor } from './caller.ts';
import type { Cli } from './cli.ts';
import { connect, type Engine } from './with-engine.ts';

/** A way to the engine that outlives the engine. */
export interface Link {
  /** Asks until it is answered: when the engine is gone, the next one is asked. Refusals are thrown as they are. */
  ask<T>(question: (engine: Engine) => Promise<T>): Promise<T>;
}

const FIRST_PAUSE_MS = 250;
const LONGEST_PAUSE_MS = 5_000;

/** Like `withEngine`, for what takes so long that engines may come and go meanwhile. */
export async function stayConnected<T>(cli: Cli, command: string, use: (link: Link) => Promise<T>): Promise<T> {
  const caller = await callerFor(cli, command);
  let engine: Engine | undefined;

  const disconnect = async () => {
    const lost = engine;
    engine = undefined;
    await lost?.close().catch(() => {});
  };
  const ask: Link['ask'] = async (question) => {
    for (
      let pause = 0, start: true | 'unless stopped' = true;
      ;
      pause = Math.min(LONGEST_PAUSE_MS, pause * 2 || FIRST_PAUSE_MS)
    ) {
      engine ??= { ...(await connect(cli, start)), caller };
      try {
        const answer = await question(engine);
        if (pause > 0) cli.err.line('the engine is back; going on');
        return answer;
      } catch (thrown) {
        if (asFault(thrown).code !== 'ENGINE_UNAVAILABLE') throw thrown;
        if (pause === 0) cli.err.line('the engine does not answer; what it has is kept, connecting again');
        await disconnect();
        start = 'unless stopped';
        await delay(pause);
      }
    }
  };
  try {
    return await use({ ask });
  } finally {
    await engine?.close();
  }
}
