// A Temporal server as the engine starts it, and the engine's worker with an activity of the benchmark's own, in this process.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from '@temporalio/client';
import { bundleWorkflowCode, DefaultLogger, makeTelemetryFilterString, Runtime, Worker } from '@temporalio/worker';
import { fileStores } from '../dist/activities/stores.js';
import { loadConfig } from '../dist/config.js';
import { workflowId } from '../dist/contract/names.js';
import { localCaller } from '../dist/service/caller.js';
import { createService } from '../dist/service/service.js';
import { connectClient, connectWorker } from '../dist/temporal/connection.js';
import { startEmbeddedServer } from '../dist/temporal/embedded-server.js';
import { prepareNamespace } from '../dist/temporal/namespace.js';
import { createActivities } from '../dist/worker/activities.js';
import { createWorker } from '../dist/worker/worker.js';

const caller = localCaller('bench');
const place = { env: { PATH: '/usr/local/bin:/usr/bin:/bin' } };

/** `run(input, store)` stands in for the kind of that name. */
export async function startBench({ run }) {
  Runtime.install({
    logger: new DefaultLogger('ERROR'),
    telemetryOptions: { logging: { filter: makeTelemetryFilterString({ core: 'ERROR' }) } },
    shutdownSignals: [],
  });
  const home = mkdtempSync(join(tmpdir(), 'holdpoint-bench-'));
  const server = await startEmbeddedServer(loadConfig({ ...process.env, HOLDPOINT_HOME: home }));
  const connection = await connectClient(server);
  await prepareNamespace(connection, { embedded: true, namespace: server.namespace });
  const client = new Client({ connection });
  const service = createService(client, fileStores(home));
  const native = await connectWorker(server);
  const store = fileStores(home).artifacts;
  const running = { begin: async () => ({ inGroup() {}, end() {} }) };
  const activities = {
    ...createActivities(client, { home, store, running }),
    run: (input) => run(input, store),
  };
  const workers = [];

  /** The engine's own worker; `more` changes what a comparison has to change. */
  async function work(more = {}) {
    const create = Worker.create;
    Worker.create = (options) => create.call(Worker, { ...options, ...more });
    try {
      const identity = `bench-${workers.length}`;
      const worker = await createWorker({ connection: native, namespace: server.namespace, identity, activities });
      workers.push({ worker, ended: worker.run() });
    } finally {
      Worker.create = create;
    }
  }
  await work();
  await service.ready();

  // The server outlives whoever started it; a benchmark that is told to end takes its own along.
  const ended = async () => {
    await server.stop();
    rmSync(home, { recursive: true, force: true, maxRetries: 5 });
    process.exit(1);
  };
  for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, ended);

  return {
    client,
    service,
    caller,
    /** The same kind of worker for hand-written workflows, on a queue of its own. */
    async workByHand(workflowsPath, taskQueue) {
      const workflowBundle = await bundleWorkflowCode({ workflowsPath, logger: new DefaultLogger('ERROR') });
      await work({ workflowBundle, workflowsPath: undefined, taskQueue });
    },
    /** Starts a plan; gives its Workflow Id and plan id. */
    async create(plan, more = {}) {
      const { plan_id } = await service.create(caller, { plan, place, ...more });
      return { plan_id, id: workflowId(caller.principal.org_id, plan_id) };
    },
    async stop() {
      for (const { worker } of workers) worker.shutdown();
      await Promise.all(workers.map(({ ended }) => ended));
      await native.close();
      await connection.close();
      await server.stop();
      rmSync(home, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}

/** The histories of a workflow, of all its runs and its children's. */
export async function histories(client, id) {
  const found = [];
  const query = `WorkflowId = '${id}' OR WorkflowId STARTS_WITH '${id}/'`;
  // The list lags by a moment.
  await new Promise((resolve) => setTimeout(resolve, 1_500));
  for await (const { workflowId, runId } of client.workflow.list({ query }))
    found.push((await client.workflow.getHandle(workflowId, runId).fetchHistory()).events ?? []);
  return found;
}

/** What histories consist of: events, workflow tasks, bytes of payloads, the largest payload, and where time went, in ms. */
export function weigh(all) {
  const events = all.flat();
  const payloads = events.flatMap(payloadsOf);
  const at = ({ eventTime }) => Number(eventTime.seconds) * 1_000 + eventTime.nanos / 1e6;
  const sum = { workflowTasks: 0, workflowTaskMs: 0, workflowTaskWaitMs: 0, activityWaitMs: 0, activityMs: 0 };
  for (const history of all) {
    const byId = new Map(history.map((event) => [String(event.eventId), event]));
    const since = (event, id) => at(event) - at(byId.get(String(id)));
    for (const event of history) {
      const workflowTask = event.workflowTaskCompletedEventAttributes;
      const activity = event.activityTaskCompletedEventAttributes;
      if (workflowTask) {
        sum.workflowTasks += 1;
        sum.workflowTaskMs += since(event, workflowTask.startedEventId);
        sum.workflowTaskWaitMs += since(byId.get(String(workflowTask.startedEventId)), workflowTask.scheduledEventId);
      }
      if (activity) {
        sum.activityMs += since(event, activity.startedEventId);
        sum.activityWaitMs += since(byId.get(String(activity.startedEventId)), activity.scheduledEventId);
      }
    }
  }
  return {
    ...sum,
    events: events.length,
    runs: all.length,
    longest: Math.max(0, ...all.map((history) => history.length)),
    bytes: payloads.reduce((total, bytes) => total + bytes, 0),
    largest: payloads.reduce((most, bytes) => Math.max(most, bytes), 0),
  };
}

/** Sizes of the payloads anywhere in a value. */
function payloadsOf(value) {
  if (value === null || typeof value !== 'object') return [];
  if (value.data instanceof Uint8Array) return [value.data.length];
  return Object.values(value).flatMap(payloadsOf);
}
