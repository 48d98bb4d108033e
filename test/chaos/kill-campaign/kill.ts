import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { newHome } from '../../support/engine.ts';
import { isRunning } from '../../support/processes.ts';
import { until } from '../../support/world.ts';

type Home = ReturnType<typeof newHome>;
export type Engine = Awaited<ReturnType<Home['up']>>;

export const serverPid = ({ home }: Home): number => JSON.parse(readFileSync(join(home, 'temporal.json'), 'utf8')).pid;

/** What is killed with kill -9; the engine that serves the home afterwards. */
export const KILLS = {
  async engine(home, engine) {
    await engine.kill();
    return await home.up();
  },
  /** Its engine starts it again. */
  async server(home, engine) {
    const pid = serverPid(home);
    process.kill(pid, 'SIGKILL');
    await until('the server is gone', () => !isRunning(pid));
    return engine;
  },
  async both(home, engine) {
    process.kill(serverPid(home), 'SIGKILL');
    await engine.kill();
    return await home.up();
  },
} as const satisfies Record<string, (home: Home, engine: Engine) => Promise<Engine>>;
export type Victim = keyof typeof KILLS;
