import {
  DefaultLogger,
  type History,
  makeTelemetryFilterString,
  type ReplayWorkerOptions,
  Runtime,
  Worker,
} from '@temporalio/worker';
import { TIME_FOR_CODE } from '../../src/worker/bundle.ts';
import { hintSinks } from '../../src/worker/hint-sinks.ts';

/** Prefixes of one history that are replayed at most, and events in all of them. */
const PREFIXES = 25;
const PREFIX_EVENTS = 10_000;

/** One runtime for all of a process, without the chatter of replays that are meant to fail. */
export function quietRuntime(): void {
  const known = globalThis as { holdpointRuntime?: boolean };
  if (!known.holdpointRuntime)
    Runtime.install({
      logger: new DefaultLogger('ERROR'),
      telemetryOptions: { logging: { filter: makeTelemetryFilterString({ core: 'ERROR' }) } },
      shutdownSignals: [],
    });
  known.holdpointRuntime = true;
}

/** Replays a history with a bundle of workflow code; gives what is wrong, or undefined. */
export const replayProblem = (bundle: string, { events }: { events: object[] }, workflowId: string) =>
  oneAtATime(() => firstProblem(bundle, [events], workflowId));

/**
 * The same with the worker's cache off. A replay worker's cache cannot be turned off (the SDK's core sets it to one
 * workflow), so its effect is made: at every workflow task the whole history up to there is replayed from nothing, in a
 * V8 context of its own.
 */
export const replayProblemWithoutCache = (bundle: string, { events }: { events: object[] }, workflowId: string) =>
  oneAtATime(() => firstProblem(bundle, prefixes(events), workflowId, { reuseV8Context: false }));

async function firstProblem(
  bundle: string,
  histories: object[][],
  workflowId: string,
  options: Partial<ReplayWorkerOptions> = {},
): Promise<string | undefined> {
  quietRuntime();
  const given = histories.map((events) => ({ workflowId, history: { events } as History }));
  const results = Worker.runReplayHistories(
    { ...TIME_FOR_CODE, sinks: hintSinks(), ...options, workflowBundle: { codePath: bundle } },
    given,
  );
  let i = 0;
  for await (const { error } of results) {
    if (error) return `${error.name} in the first ${histories[i]?.length} events: ${error.message}`;
    i += 1;
  }
  return i === histories.length ? undefined : `${i} of ${histories.length} were replayed`;
}

/** A worker that ends takes the SDK's runtime with it, from under another that is being made. */
function oneAtATime<T>(work: () => Promise<T>): Promise<T> {
  const mine = last.then(work);
  last = mine.catch(() => {});
  return mine;
}
let last: Promise<unknown> = Promise.resolve();

/** The history as each workflow task found it, evenly chosen where there are many; the whole one is the last. */
function prefixes(events: object[]): object[][] {
  const starts = events.flatMap((event, i) =>
    'workflowTaskStartedEventAttributes' in event && event.workflowTaskStartedEventAttributes ? [i + 1] : [],
  );
  const most = Math.max(2, Math.min(PREFIXES, Math.floor((2 * PREFIX_EVENTS) / events.length)));
  const step = Math.max(1, Math.ceil(starts.length / most));
  return [...starts.filter((_, i) => i % step === 0), events.length].map((end) => events.slice(0, end));
}
