import type { Logger as TemporalLogger } from '@temporalio/worker';
import type { Logger } from 'pino';

/** Temporal's log lines as ours, with plan and task where they are known. */
export function temporalLogger(logger: Logger): TemporalLogger {
  const log: TemporalLogger['log'] = (level, message, meta) => {
    const { workflowId, activityId, error, ...rest } = (meta ?? {}) as Record<string, unknown>;
    const plan_id = typeof workflowId === 'string' ? workflowId.split('/').at(-1) : undefined;
    const task = typeof activityId === 'string' ? activityId.split('#')[0] : undefined;
    const { sdkComponent, taskQueue, activityType, attempt } = rest;
    logger[LEVELS[level]](
      {
        ...(plan_id && { plan_id }),
        ...(task && { task }),
        ...(error !== undefined && { err: error }),
        sdkComponent,
        taskQueue,
        activityType,
        attempt,
      },
      message,
    );
  };
  const at = (level: keyof typeof LEVELS) => (message: string, meta?: object) => log(level, message, { ...meta });
  return { log, trace: at('TRACE'), debug: at('DEBUG'), info: at('INFO'), warn: at('WARN'), error: at('ERROR') };
}

const LEVELS = { TRACE: 'trace', DEBUG: 'debug', INFO: 'debug', WARN: 'warn', ERROR: 'error' } as const;
