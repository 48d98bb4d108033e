import { DefaultLogger, type History, type ReplayWorkerOptions, Runtime, Worker } from '@temporalio/worker';

/** Prefixes of one history that are replayed at most: each is a replay of its own. */
const PREFIXES = 25;

/** One runtime for all of a process, without the chatter of replays that are meant to fail. */
export function quietRuntime(): void {
  const known = globalThis as { holdpointRuntime?: boolean };
  if (!known.holdpointRuntime) Runtime.install({ logger: new DefaultLogger('ERROR'), shutdownSignals: [] });
  known.holdpointRuntime = true;
}

/** Replays a history with a bundle of workflow code; gives what is wrong, or undefined. */
export async function replayProblem(
  bundle: string,
  history: History,
  workflowId: string,
  options: Partial<ReplayWorkerOptions> = {},
): Promise<string | undefined> {
  quietRuntime();
  try {
    await Worker.runReplayHistory({ ...options, workflowBundle: { codePath: bundle } }, history, workflowId);
    return undefined;
  } catch (error) {
    return error instanceof Error ? `${error.name}: ${error.message}` : String(error);
  }
}

/**
 * The same with the worker's cache off. A replay worker's cache cannot be turned off (the SDK's core sets it to one
 * workflow), so its effect is made: at every workflow task the whole history up to there is replayed from nothing, in a
 * V8 context of its own.
 */
export async function replayProblemWithoutCache(bundle: string, history: History, workflowId: string) {
  for (const events of prefixes(history.events ?? [])) {
    const problem = await replayProblem(bundle, { events }, workflowId, { reuseV8Context: false });
    if (problem !== undefined) return `up to event ${events.at(-1)?.eventId}: ${problem}`;
  }
  return undefined;
}

/** The history as each workflow task found it, evenly chosen where there are many; the whole one is the last. */
function prefixes(events: NonNullable<History['events']>) {
  const starts = events.flatMap((event, i) => (event.workflowTaskStartedEventAttributes ? [i + 1] : []));
  const step = Math.max(1, Math.ceil(starts.length / PREFIXES));
  return [...starts.filter((_, i) => i % step === 0), events.length].map((end) => events.slice(0, end));
}
