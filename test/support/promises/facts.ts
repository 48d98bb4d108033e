import type { History } from '@temporalio/worker';

export type HistoryEvent = NonNullable<History['events']>[number];

/** One dispatch of an attempt, by its activity id `<task>#<attempt>.<dispatch>`. */
export interface Dispatch {
  task: string;
  attempt: number;
  dispatch: number;
}

/** What one Temporal run's history says, as far as the promises speak of it. `id` is the history event's own. */
export type Fact =
  | ({
      is: 'scheduled';
      id: number;
      /** The workflow task that decided it: the event that started it, and its time, which is the workflow's clock. */
      by: number;
      at: number;
    } & Dispatch)
  | { is: 'ended'; id: number; of: number; how: 'completed' | 'failed' | 'timed_out' | 'cancelled'; at: number }
  | { is: 'signal'; id: number; name: string; request_id?: string }
  | { is: 'cancel_requested'; id: number }
  | { is: 'child'; id: number; workflow_id: string; run_id: string }
  /** A workflow task that the workflow code could not get through. */
  | { is: 'stuck'; id: number; message: string };

export interface Ending {
  how: 'completed' | 'failed' | 'continued' | 'terminated' | 'timed_out' | 'cancelled';
  /** Of a failure. */
  type?: string;
  next_run_id?: string;
}

/** Failed workflow tasks that belong to a healthy life: a signal came in between, a worker was reset, an operator forced it. */
const HARMLESS_CAUSES = [1, 13, 17, 18, 20];

export function factsOf(events: HistoryEvent[]): Fact[] {
  const byId = new Map(events.map((event) => [Number(event.eventId), event]));
  return events.flatMap((event): Fact[] => {
    const id = Number(event.eventId);
    const ended = (how: (Fact & { is: 'ended' })['how'], of: unknown): Fact[] => [
      { is: 'ended', id, of: Number(of), how, at: msOf(event.eventTime) },
    ];
    if (event.activityTaskScheduledEventAttributes) {
      const { activityId, workflowTaskCompletedEventId } = event.activityTaskScheduledEventAttributes;
      const dispatch = dispatchOf(activityId ?? '');
      const completed = byId.get(Number(workflowTaskCompletedEventId));
      const by = Number(completed?.workflowTaskCompletedEventAttributes?.startedEventId);
      return dispatch ? [{ is: 'scheduled', id, by, at: msOf(byId.get(by)?.eventTime), ...dispatch }] : [];
    }
    if (event.activityTaskCompletedEventAttributes)
      return ended('completed', event.activityTaskCompletedEventAttributes.scheduledEventId);
    if (event.activityTaskFailedEventAttributes)
      return ended('failed', event.activityTaskFailedEventAttributes.scheduledEventId);
    if (event.activityTaskTimedOutEventAttributes)
      return ended('timed_out', event.activityTaskTimedOutEventAttributes.scheduledEventId);
    if (event.activityTaskCanceledEventAttributes)
      return ended('cancelled', event.activityTaskCanceledEventAttributes.scheduledEventId);
    if (event.workflowExecutionSignaledEventAttributes) {
      const { signalName, input } = event.workflowExecutionSignaledEventAttributes;
      const request_id = requestId(input?.payloads?.[0]?.data);
      return [{ is: 'signal', id, name: signalName ?? '', ...(request_id !== undefined && { request_id }) }];
    }
    if (event.workflowExecutionCancelRequestedEventAttributes) return [{ is: 'cancel_requested', id }];
    if (event.childWorkflowExecutionStartedEventAttributes) {
      const { workflowId, runId } = event.childWorkflowExecutionStartedEventAttributes.workflowExecution ?? {};
      return [{ is: 'child', id, workflow_id: workflowId ?? '', run_id: runId ?? '' }];
    }
    if (event.workflowTaskFailedEventAttributes) {
      const { cause, failure } = event.workflowTaskFailedEventAttributes;
      return HARMLESS_CAUSES.includes(cause ?? 0) ? [] : [{ is: 'stuck', id, message: failure?.message ?? '' }];
    }
    return [];
  });
}

export function endingOf(last: HistoryEvent | undefined): Ending | undefined {
  if (last?.workflowExecutionCompletedEventAttributes) return { how: 'completed' };
  if (last?.workflowExecutionFailedEventAttributes)
    return {
      how: 'failed',
      type: last.workflowExecutionFailedEventAttributes.failure?.applicationFailureInfo?.type ?? '',
    };
  if (last?.workflowExecutionContinuedAsNewEventAttributes)
    return {
      how: 'continued',
      next_run_id: last.workflowExecutionContinuedAsNewEventAttributes.newExecutionRunId ?? '',
    };
  if (last?.workflowExecutionTerminatedEventAttributes) return { how: 'terminated' };
  if (last?.workflowExecutionTimedOutEventAttributes) return { how: 'timed_out' };
  if (last?.workflowExecutionCanceledEventAttributes) return { how: 'cancelled' };
  return undefined;
}

function dispatchOf(activityId: string): Dispatch | undefined {
  const [, task, attempt, dispatch] = /^(.+)#(\d+)\.(\d+)$/s.exec(activityId) ?? [];
  return task === undefined ? undefined : { task, attempt: Number(attempt), dispatch: Number(dispatch) };
}

/** As the workflow's clock has it: whole milliseconds. */
const msOf = (time: HistoryEvent['eventTime']): number =>
  Number(time?.seconds ?? 0) * 1_000 + Math.floor((time?.nanos ?? 0) / 1_000_000);

/** Signals sent by hand carry anything, or nothing. */
function requestId(data: Uint8Array | null | undefined): string | undefined {
  try {
    const { request_id } = JSON.parse(Buffer.from(data!).toString('utf8'));
    return typeof request_id === 'string' ? request_id : undefined;
  } catch {
    return undefined;
  }
}
