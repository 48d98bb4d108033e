import { SdkComponent } from '@temporalio/common';
import type { LogLevel, Logger as TemporalLogger } from '@temporalio/worker';
import type { Logger } from 'pino';

/** Temporal's log lines as ours, with plan and task where they are known. */
export function temporalLogger(logger: Logger): TemporalLogger {
  const log: TemporalLogger['log'] = (level, message, meta) => {
    const { workflowId, activityId, error, ...rest } = (meta ?? {}) as Record<string, unknown>;
    const plan_id = typeof workflowId === 'string' ? workflowId.split('/').at(-1) : undefined;
    const task = typeof activityId === 'string' ? activityId.split('#')[0] : undefined;
    const { sdkComponent, taskQueue, activityType, attempt } = rest;
    logger[levelOf(level, sdkComponent)](
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

/** What the SDK's core warns of, such as workflow tasks that came too late, it mends by itself: nobody has to do anything. */
const levelOf = (level: LogLevel, component: unknown) =>
  component === SdkComponent.core && level === 'WARN' ? 'debug' : LEVELS[level];

const LEVELS = { TRACE: 'trace', DEBUG: 'debug', INFO: 'debug', WARN: 'warn', ERROR: 'error' } as const;
