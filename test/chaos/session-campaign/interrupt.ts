import { readEngine } from '../../../src/engine/engine-record.ts';
import type { newHome } from '../../support/engine.ts';
import { isRunning } from '../../support/processes.ts';
import { until } from '../../support/world.ts';
import { serverPid } from '../kill-campaign/kill.ts';

export type Home = ReturnType<typeof newHome>;
export type Started = ReturnType<Home['start']>;

/** What happens to whom. Of those whose command line lives on, nobody resumes anything: it goes on by itself. */
export const INTERRUPTIONS = {
  'Ctrl+C': { signal: 'SIGINT', of: ['cli'], exit: 130 },
  'kill -9 of the command line': { signal: 'SIGKILL', of: ['cli'] },
  'kill -9 of all three': { signal: 'SIGKILL', of: ['cli', 'engine', 'server'] },
  'kill -9 of the engine': { signal: 'SIGKILL', of: ['engine'] },
  'kill -9 of the Temporal server': { signal: 'SIGKILL', of: ['server'] },
  'kill -9 of command line and engine': { signal: 'SIGKILL', of: ['cli', 'engine'] },
  TERM: { signal: 'SIGTERM', of: ['cli'], exit: 143 },
  HUP: { signal: 'SIGHUP', of: ['cli'], exit: 129 },
} as const satisfies Record<string, Interruption>;
export type InterruptionName = keyof typeof INTERRUPTIONS;

export interface Interruption {
  signal: NodeJS.Signals;
  of: readonly ('cli' | 'engine' | 'server')[];
  /** Of a command line that is told to end. */
  exit?: number;
}

/** Interrupts, and waits until those who are killed are gone, which is at once. */
export async function interrupt(home: Home, cli: Started, { signal, of }: Interruption): Promise<void> {
  const pids = { cli: cli.child.pid!, engine: readEngine(home.config)!.pid, server: serverPid(home) };
  const targets = of.map((name) => pids[name]);
  for (const pid of targets) {
    // A command line that has just ended has nothing to be interrupted in.
    if (pid === pids.cli) cli.child.kill(signal);
    else process.kill(pid, signal);
  }
  if (signal === 'SIGKILL') await until('they are gone', () => !targets.some(isRunning), 5_000);
}
