import { setTimeout as delay } from 'node:timers/promises';
import { asFault } from '../faults.ts';
import type { Cli } from './cli.ts';
import { connect, type Engine } from './with-engine.ts';

/** A way to the engine that outlives the engine. */
export interface Link {
  /** Asks until it is answered: when the engine is gone, the next one is asked. Refusals are thrown as they are. */
  ask<T>(question: (engine: Engine) => Promise<T>): Promise<T>;
}

const FIRST_PAUSE_MS = 250;
const LONGEST_PAUSE_MS = 5_000;

/** Says once that the engine was lost, and once that it is back. */
export function stayConnected(cli: Cli, engine: Engine): Link {
  let current = engine;
  const reconnect = async () => {
    await current.close().catch(() => {});
    current = { ...(await connect(cli)), caller: engine.caller };
  };
  return {
    async ask(question) {
      for (let pause = 0; ; pause = Math.min(LONGEST_PAUSE_MS, pause * 2 || FIRST_PAUSE_MS)) {
        try {
          const answer = await question(current);
          if (pause > 0) cli.err.line('the engine is back; going on');
          return answer;
        } catch (thrown) {
          if (asFault(thrown).code !== 'ENGINE_UNAVAILABLE') throw thrown;
          if (pause === 0) cli.err.line('the engine does not answer; the plan is kept, connecting again');
          await delay(pause);
          await reconnect();
        }
      }
    },
  };
}
