import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { Client } from '@temporalio/client';
import { Worker } from '@temporalio/worker';
import { inject } from 'vitest';
import type { AttemptDependencies } from '../../src/activities/attempt.ts';
import { recordRunningAttempts } from '../../src/activities/running-attempts.ts';
import { type SecretSource, secretSource } from '../../src/activities/secrets.ts';
import { fileStores } from '../../src/activities/stores.ts';
import { loadConfig } from '../../src/config.ts';
import { ENGINE_QUEUE, workflowId } from '../../src/contract/names.ts';
import { identify } from '../../src/home/process-identity.ts';
import { type CommandName, isTerminal, type PlanStatus } from '../../src/plan/lifecycle.ts';
import { localBus } from '../../src/service/bus.ts';
import { localCaller } from '../../src/service/caller.ts';
import type { CommandAnswer, CommandRequest } from '../../src/service/control-plan.ts';
import type { CreateRequest } from '../../src/service/create-plan.ts';
import { recordPlace } from '../../src/service/place.ts';
import type { ReadPlan } from '../../src/service/read-plan.ts';
import { createService } from '../../src/service/service.ts';
import { connectClient, connectWorker } from '../../src/temporal/connection.ts';
import { createActivities } from '../../src/worker/activities.ts';
import { TIME_FOR_CODE } from '../../src/worker/bundle.ts';
import { hintSinks } from '../../src/worker/hint-sinks.ts';
import { quietRuntime } from './replay.ts';

export const caller = localCaller('test');
export const tempDir = (name: string): string => mkdtempSync(join(tmpdir(), `holdpoint-${name}-`));

type Truthy<T> = Exclude<T, false | undefined | null | '' | 0>;

/** Polls until `probe` gives something truthy; says what it waited for. */
export async function until<T>(what: string, probe: () => T | Promise<T>, ms = 40_000): Promise<Truthy<T>> {
  const end = Date.now() + ms;
  for (let last: unknown; ; await delay(20)) {
    last = await probe();
    if (last) return last as Truthy<T>;
    if (Date.now() > end) throw new Error(`not within ${ms} ms: ${what}; last seen: ${JSON.stringify(last)}`);
  }
}

/** Tasks append a line to a file when an attempt of theirs starts; `n` counts them. */
export function witness() {
  const dir = tempDir('witness');
  const path = (name: string) => join(dir, name);
  return {
    dir,
    path,
    mark: (id: string) => `echo x >> ${path(id)}`,
    n: (id: string) => (existsSync(path(id)) ? readFileSync(path(id), 'utf8').trim().split('\n').length : 0),
  };
}

/** Tests set and remove secrets while the worker runs, which an engine's environment does not. */
function secretsNow(): SecretSource {
  const now = () => {
    const { secret, secretNames } = loadConfig();
    return secretSource(secretNames, secret);
  };
  return {
    value: (name) => now().value(name),
    get mask() {
      return now().mask;
    },
  };
}

/** Of the Temporal server of this process, whose task queue no other process's worker asks. */
export function temporalAddress(): string {
  const all = inject('temporals');
  return all[(Number(process.env.VITEST_POOL_ID) - 1) % all.length]!;
}

/** Stands for the agent of a machine; see there. */
export const AGENT = join(import.meta.dirname, '../fixtures/agent/claude');

/** The service against the suite's Temporal server, with a worker in this process that can be stopped and started. */
export async function startWorld(more: Partial<AttemptDependencies> = {}) {
  quietRuntime();
  const address = temporalAddress();
  const home = tempDir('world');
  const connection = await connectClient({ address });
  const client = new Client({ connection });
  const bus = localBus();
  const service = createService(client, fileStores(home), bus);
  const native = await connectWorker({ address });
  let worker: { stop(): Promise<void> } | undefined;

  /** `codePath` of other workflow code than the suite's. */
  const startWorker = async (codePath = inject('bundle')) => {
    const made = await Worker.create({
      ...TIME_FOR_CODE,
      workflowBundle: { codePath },
      connection: native,
      taskQueue: ENGINE_QUEUE,
      identity: `test-${process.pid}`,
      stickyQueueScheduleToStartTimeout: '500ms',
      maxHeartbeatThrottleInterval: 500,
      shutdownGraceTime: 1,
      sinks: hintSinks(bus),
      activities: createActivities(client, {
        home,
        store: fileStores(home).artifacts,
        running: recordRunningAttempts(join(home, 'attempts'), identify()),
        allowPrivateHosts: ['127.0.0.1'],
        agentCommand: [AGENT, '-p'],
        secrets: secretsNow(),
        ...more,
      }),
    });
    const running = made.run();
    worker = {
      async stop() {
        made.shutdown();
        await running;
      },
    };
  };
  const stopWorker = async () => {
    await worker?.stop();
    worker = undefined;
  };
  await startWorker();

  const world = {
    home,
    client,
    bus,
    service,
    startWorker,
    stopWorker,
    async create(plan: string, more: Partial<CreateRequest> = {}): Promise<string> {
      const { plan_id } = await service.create(caller, { plan, place: recordPlace(process.env), ...more });
      return plan_id;
    },
    /** Sends a command and waits for what it came to, however busy the machine is. */
    async command(id: string, name: CommandName, request: CommandRequest = {}): Promise<CommandAnswer> {
      let answer = await service.command(caller, id, name, request);
      const { request_id } = answer;
      while (answer.result === 'pending') answer = await service.outcome(caller, id, request_id);
      return answer;
    },
    read: (id: string) => service.read(caller, id),
    task: async (id: string, task: string) =>
      (await service.read(caller, id)).tasks.find((found) => found.id === task)!,
    reaches: (id: string, status: PlanStatus, ms?: number): Promise<ReadPlan> =>
      until(
        `plan ${id} is ${status}`,
        async () => {
          const view = await service.read(caller, id);
          if (view.state.status === status) return view;
          if (isTerminal(view.state.status))
            throw new Error(`it ended as ${view.state.status}: ${JSON.stringify(view.error)}`);
          return undefined;
        },
        ms,
      ),
    handle: (id: string) => client.workflow.getHandle(workflowId('local', id)),
    async history(id: string) {
      return (await world.handle(id).fetchHistory()).events ?? [];
    },
    async stop() {
      await stopWorker();
      await native.close();
      await connection.close();
      rmSync(home, { recursive: true, force: true });
    },
  };
  return world;
}
