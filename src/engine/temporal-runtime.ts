import { makeTelemetryFilterString, type RuntimeOptions } from '@temporalio/worker';
import type { Logger } from 'pino';
import { temporalLogger } from './temporal-logger.ts';

/** How Temporal's SDK runs in an engine: also what its native core has to say goes into our log, and nowhere else. */
export const temporalRuntime = (logger: Logger): RuntimeOptions => ({
  logger: temporalLogger(logger),
  telemetryOptions: { logging: { forward: {}, filter: makeTelemetryFilterString({ core: 'WARN', other: 'WARN' }) } },
  shutdownSignals: [],
});
