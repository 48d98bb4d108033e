import { setTimeout as delay } from 'node:timers/promises';
import type { Config } from '../config.ts';
import { Fault } from '../faults.ts';
import { identify, isAlive } from '../home/process-identity.ts';
import { thisBuild } from './build.ts';
import { claimEngine, type EngineRecord } from './engine-record.ts';
import { mayReplace } from './replay-check.ts';

export type EngineMode = 'foreground' | 'detached';

/** How long a predecessor may take to end its commands and leave. */
const TAKEOVER_MS = 20_000;

/**
 * Makes this process the home's engine. In the foreground it takes over from a detached one; a detached one steps back
 * before any other, unless that is of another build and this one can go on with its open plans.
 */
export async function claim(config: Config, mode: EngineMode): Promise<EngineRecord | 'another runs'> {
  const { version, workflows } = thisBuild();
  const mine: EngineRecord = { ...identify(), mode, since: new Date().toISOString(), version, workflows, ready: false };
  for (let asked = false; ; asked = true) {
    const other = await claimEngine(config, mine);
    if (!other) return mine;
    const where = other.api ? ` at ${other.api}` : '';
    if (other.mode === 'foreground' && mode === 'foreground')
      throw new Fault('ENGINE_RUNNING', `an engine of this home runs already${where} (pid ${other.pid})`);
    if (mode === 'detached' && (other.mode === 'foreground' || other.workflows === workflows)) return 'another runs';
    if (other.workflows !== workflows && !(await mayReplace(other))) {
      if (mode === 'detached') return 'another runs';
      throw new Fault(
        'ENGINE_RUNNING',
        `the engine${where} runs plans that this build cannot go on with; end them, or use its build`,
      );
    }
    if (asked) throw new Fault('ENGINE_RUNNING', `the engine${where} (pid ${other.pid}) does not make way`);
    await endEngine(other, 'SIGUSR2');
  }
}

/** Tells an engine to end, and waits until it has. */
export async function endEngine(engine: EngineRecord, signal: NodeJS.Signals): Promise<void> {
  process.kill(engine.pid, signal);
  for (const end = Date.now() + TAKEOVER_MS; isAlive(engine) && Date.now() < end; ) await delay(50);
  if (isAlive(engine)) process.kill(engine.pid, 'SIGKILL');
}
