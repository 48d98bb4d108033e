import { type Config, loadConfig } from '../config.ts';
import type { ConnectOptions, EngineConnection, EngineStatus } from '../engine/engine-client.ts';
import { asHomeFault } from '../home/home-fault.ts';
import { makeHome } from '../home/make-home.ts';

export type { ConnectOptions, EngineConnection, EngineStatus };

/** The engine of this home, as commands reach it. */
export interface EngineAccess {
  connect(options: ConnectOptions): Promise<EngineConnection>;
  status(): Promise<EngineStatus>;
  /** False when none ran. */
  stop(onProgress: (text: string) => void): Promise<boolean>;
  /** Is the engine until told to end; gives the exit code. */
  run(mode: 'foreground' | 'detached'): Promise<number>;
}

/** Everything behind it is loaded when used: Temporal's libraries alone take longer than most commands. */
export function engineOf(env: NodeJS.ProcessEnv): EngineAccess {
  const client = async (): Promise<[typeof import('../engine/engine-client.ts'), Config]> => {
    const config = loadConfig(env);
    return [await import('../engine/engine-client.ts'), config];
  };
  return {
    async connect(options) {
      const [{ connectEngine }, config] = await client();
      return await inHome(config, () => connectEngine(config, options));
    },
    async status() {
      const [{ engineStatus }, config] = await client();
      return await engineStatus(config);
    },
    async stop(onProgress) {
      const [{ stopEngine }, config] = await client();
      return await inHome(config, () => stopEngine(config, onProgress));
    },
    async run(mode) {
      const config = loadConfig(env);
      const { runEngine } = await import('../engine/engine.ts');
      return await inHome(config, () => runEngine(config, { mode }));
    },
  };
}

async function inHome<T>({ home }: Config, use: () => Promise<T>): Promise<T> {
  try {
    makeHome(home);
    return await use();
  } catch (error) {
    throw asHomeFault(error, home);
  }
}
