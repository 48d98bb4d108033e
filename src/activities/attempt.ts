import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { ApplicationFailure, CancelledFailure, Context } from '@temporalio/activity';
import {
  LIMIT_REACHED,
  TASK_FAILED,
  TASK_HOPELESS,
  TASK_INVALID,
  TASK_TIMED_OUT,
  WORKER_LOST,
} from '../contract/names.ts';
import { payload } from '../contract/payload-size.ts';
import {
  type AttemptInput,
  type AttemptResult,
  type FailureAsides,
  HEARTBEAT_INTERVAL_MS,
  type HeartbeatDetails,
} from '../contract/payloads.ts';
import { formatDuration } from '../plan/duration.ts';
import type { JsonObject } from '../plan/json.ts';
import type { Warning } from '../plan/ledger.ts';
import { timedSignal } from '../timed-signal.ts';
import type { ArtifactStore } from './artifact-store.ts';
import { type ActivityKind, TaskFailure } from './kind.ts';
import { type LedgerOf, NO_LEDGER } from './llm/ledger.ts';
import { type LlmModels, NO_MODELS } from './llm/models.ts';
import type { RunningAttempts } from './running-attempts.ts';
import { type SecretSource, type Secrets, secretsOf } from './secrets.ts';
import { runsFolder } from './stores.ts';

export interface AttemptDependencies {
  /** `HOLDPOINT_HOME`. */
  home: string;
  store: ArtifactStore;
  running: RunningAttempts;
  /** `HOLDPOINT_ALLOW_PRIVATE_HOSTS`. */
  allowPrivateHosts: readonly string[];
  /** `HOLDPOINT_AGENT_COMMAND`, as words. */
  agentCommand: readonly string[];
  /** `HOLDPOINT_SECRET_…`. */
  secrets: SecretSource;
  /** `HOLDPOINT_LLM_…`; without them, no model is known. */
  models?: LlmModels;
  /** Where calls of models are counted; without one, nowhere. */
  ledgerOf?: LedgerOf;
}

type Activity = (input: AttemptInput) => Promise<AttemptResult>;

/** What is over sooner need not be heard of: every heartbeat is written by Temporal. */
const FIRST_HEARTBEAT_MS = 200;

/**
 * The one wrapper around every kind: heartbeats, keeps the task's time-out, records the attempt
 * while it runs, and decides what to report when it was ended from outside.
 */
export function attemptActivity(kind: ActivityKind<unknown>, dependencies: AttemptDependencies): Activity {
  const { home, store, running, allowPrivateHosts, agentCommand } = dependencies;
  return async (input) => {
    const context = Context.current();
    const { workflowId, runId } = context.info.workflowExecution!;
    let heard: HeartbeatDetails | undefined;
    const heartbeats = setInterval(() => context.heartbeat(heard), HEARTBEAT_INTERVAL_MS);
    const first = setTimeout(() => context.heartbeat(heard), FIRST_HEARTBEAT_MS);
    const timeout = timedSignal(input.timeout_ms);
    const warnings: Warning[] = [];
    const planFolder = join(runsFolder(home), input.plan_id);
    const made = mkdir(planFolder, { recursive: true });
    made.catch(() => {});
    const mine = await running.begin({ workflow_id: workflowId, run_id: runId, activity_id: context.info.activityId });
    try {
      const secrets = secretsOf(input.with, dependencies.secrets);
      await made;
      const signal = AbortSignal.any([context.cancellationSignal, timeout.signal]);
      const onOutput = () => {
        heard = { ...heard, last_output_at: Date.now() };
      };
      const onLlmCall = () => {
        const now = Date.now();
        heard = { last_output_at: now, ...heard, last_llm_call_at: now };
      };
      const onKept = () => {
        heard = { last_output_at: Date.now(), ...heard, kept: true };
        mine.hasKept();
      };
      const result = await kind.execute(input, {
        signal,
        store: store.ofPlan(input.plan_id),
        allowPrivateHosts,
        agentCommand,
        secrets,
        planFolder,
        onProcessGroup: mine.inGroup,
        onOutput,
        onKept,
        onLlmCall,
        models: dependencies.models ?? NO_MODELS,
        ledger: dependencies.ledgerOf?.(input, (warning) => warnings.push(warning)) ?? NO_LEDGER,
      });
      const told = warnings.length > 0 ? { ...result, warnings } : result;
      return payload(`the outputs of task ${input.task}`, told);
    } catch (error) {
      const end = asFailure(error, context, timeout.signal, dependencies.secrets, input.timeout_ms);
      throw withWarnings(heard?.kept ? withKept(end) : end, warnings);
    } finally {
      clearTimeout(first);
      clearInterval(heartbeats);
      timeout.clear();
      mine.end();
    }
  };
}

/**
 * Whose end it was. Ended by the worker's shutdown or by Temporal (not found, timed out, reset, paused): passed on, so that
 * the attempt counts as lost. Asked to cancel: cancelled. Only otherwise is it the task's own failure; a command that dies
 * of our TERM at shutdown would else look like a failed task.
 */
function asFailure(
  error: unknown,
  context: Context,
  timeout: AbortSignal,
  { mask }: Pick<Secrets, 'mask'>,
  timeoutMs = 0,
): Error {
  if (context.cancellationSignal.aborted) {
    if (context.cancellationDetails?.cancelRequested) return new CancelledFailure('the plan was stopped');
    const reason: unknown = context.cancellationSignal.reason;
    return reason instanceof Error ? reason : new CancelledFailure(String(reason));
  }
  if (timeout.aborted) return failure(TASK_TIMED_OUT, `it did not end within ${formatDuration(timeoutMs)}`);
  if (error instanceof TaskFailure)
    return failure(
      error.why ? FINAL[error.why] : TASK_FAILED,
      mask.text(error.message),
      error.details && (mask.json(error.details) as JsonObject),
    );
  const message = mask.text(error instanceof Error ? error.message : String(error));
  return failure(TASK_FAILED, isDiskFull(error) ? `the disk is full (${message})` : message);
}

/** A worker that is shut down in order says what one that dies leaves on record. */
function withKept(end: Error): Error {
  if (!(end instanceof CancelledFailure) || end.message !== WORKER_SHUTDOWN) return end;
  return failure(WORKER_LOST, 'its worker was shut down', { kept: true });
}
/** As the SDK says it. */
const WORKER_SHUTDOWN = 'WORKER_SHUTDOWN';

/** Whoever was told that most of a limit is spent has to say so, however the attempt ended. */
function withWarnings(error: Error, warnings: Warning[]): Error {
  if (warnings.length === 0 || !(error instanceof ApplicationFailure)) return error;
  const { type, message, details } = error;
  const told: FailureAsides = { warnings };
  return ApplicationFailure.create({
    type: type ?? TASK_FAILED,
    message,
    nonRetryable: true,
    details: [details?.[0] ?? null, told],
  });
}

function isDiskFull(error: unknown): boolean {
  const { code, cause } = (error ?? {}) as { code?: unknown; cause?: unknown };
  return code === 'ENOSPC' || code === 'EDQUOT' || (cause !== undefined && isDiskFull(cause));
}

const FINAL = { invalid: TASK_INVALID, hopeless: TASK_HOPELESS, limit: LIMIT_REACHED };

const failure = (type: string, message: string, details?: object): ApplicationFailure =>
  ApplicationFailure.create({ type, message, nonRetryable: true, ...(details && { details: [details] }) });
