import { sparingly } from '../engine/sparingly.ts';
import type { Caller } from '../service/caller.ts';
import type { PlanService } from '../service/service.ts';
import { callerFor } from './caller.ts';
import type { Cli } from './cli.ts';
import type { ConnectOptions, EngineConnection } from './engine-access.ts';

/** The service, and as whom this command calls it. */
export interface Engine extends EngineConnection {
  service: PlanService;
  caller: Caller;
}

/** Does something with the home's engine, started when none runs; `command` is recorded with what it starts. */
export async function withEngine<T>(cli: Cli, command: string, use: (engine: Engine) => Promise<T>): Promise<T> {
  const caller = await callerFor(cli, command);
  const connection = await connect(cli);
  try {
    return await use({ ...connection, caller });
  } finally {
    await connection.close();
  }
}

/** Progress of a start goes to stderr, line by line. */
export const connect = (cli: Cli, start: ConnectOptions['start'] = true): Promise<EngineConnection> =>
  cli.engine.connect({ start, onProgress: sparingly((text) => cli.err.line(cli.err.colours.dim(text))) });
