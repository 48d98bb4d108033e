import { setTimeout as delay } from 'node:timers/promises';
import { http, type newHome } from '../../support/engine.ts';

/** Of some engines it sees the beginning and the end alone. */
const PATIENCE_MS = 180_000;

type Answer = Awaited<ReturnType<ReturnType<typeof http>['get']>>;

/** An engine that is killed with kill -9 and started again, and a client of it that asks again until it is answered. */
export async function mortalEngine(home: ReturnType<typeof newHome>) {
  let engine = await home.up();

  async function ask(work: (api: ReturnType<typeof http>) => Promise<Answer>): Promise<Answer> {
    for (const end = Date.now() + PATIENCE_MS; ; await delay(250)) {
      const answer = await work(http(engine.url)).catch((error: Error) => error);
      if (!(answer instanceof Error) && answer.status < 500) return answer;
      if (Date.now() > end)
        throw new Error(
          `no answer in time: ${answer instanceof Error ? answer : answer.text}\n${engine.output().slice(-4_000)}`,
        );
    }
  }
  return {
    get: (path: string) => ask((api) => api.get(path)),
    put: (path: string, body: object) => ask((api) => api.put(path, body)),
    post: (path: string, body: object) => ask((api) => api.post(path, body)),
    async kill() {
      await engine.kill();
      engine = await home.up();
    },
  };
}
export type MortalEngine = Awaited<ReturnType<typeof mortalEngine>>;
