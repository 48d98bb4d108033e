import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import pino from 'pino';
import type { Config } from '../config.ts';
import type { EngineMode } from './claim.ts';

/** Structured lines, one JSON object each: to the home's engine.log, and in the foreground without a terminal also to stderr. */
export function createLogger(config: Config, mode: EngineMode): pino.Logger {
  const folder = join(config.home, 'logs');
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const streams: pino.StreamEntry[] = [
    { level: 'trace', stream: pino.destination({ dest: join(folder, 'engine.log'), mkdir: true, sync: true }) },
  ];
  if (mode === 'foreground' && !process.stderr.isTTY) streams.push({ level: 'trace', stream: process.stderr });
  return pino({ level: config.logLevel, base: { pid: process.pid } }, pino.multistream(streams));
}
