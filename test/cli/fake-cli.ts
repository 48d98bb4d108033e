import { Readable } from 'node:stream';
import pc from 'picocolors';
import type { Cli } from '../../src/cli/cli.ts';
import type { EngineAccess, EngineStatus } from '../../src/cli/engine-access.ts';
import { runCommandLine } from '../../src/cli/run-command-line.ts';
import type { PlanSummary } from '../../src/service/list-plans.ts';
import type { ReadPlan } from '../../src/service/read-plan.ts';
import type { PlanService } from '../../src/service/service.ts';

export const ID = '3f2b9c1e-0000-4000-8000-000000000001';
export const AT = '2026-01-31T09:00:00.000Z';

export interface FakeWorld {
  service?: Partial<PlanService>;
  engine?: Partial<EngineAccess>;
  status?: Partial<EngineStatus>;
  input?: string;
  directory?: string;
  env?: NodeJS.ProcessEnv;
  coloured?: boolean;
}

/** A command line without a process: what it printed, what it asked for, and Ctrl+C by hand. */
export function fakeCli({
  service = {},
  engine,
  status,
  input = '',
  directory = '/nowhere',
  env = {},
  coloured = false,
}: FakeWorld = {}) {
  const out: string[] = [];
  const err: string[] = [];
  const pages: string[] = [];
  const connects: { start: boolean | string }[] = [];
  let closed = 0;
  const interrupt = new AbortController();
  const screen = (lines: string[]) => ({
    line: (text: string) => void lines.push(text),
    drained: async () => {},
    colours: pc.createColors(coloured),
  });
  const cli: Cli = {
    env,
    directory,
    self: 'holdpoint',
    out: screen(out),
    err: screen(err),
    readStandardInput: () => Readable.from([Buffer.from(input)]),
    interrupt: () => interrupt.signal,
    openPage: async (address) => void pages.push(address),
    engine: {
      async connect({ start }) {
        connects.push({ start });
        return {
          service: strict(service),
          urls: { api: 'http://api', temporal: '127.0.0.1:1', temporalUi: 'http://ui' },
          close: async () => void closed++,
        };
      },
      status: async () => ({ running: false, ready: false, home: '/home', ...status }),
      stop: async () => true,
      run: async () => 0,
      ...engine,
    },
    exitCode: 0,
  };
  return {
    cli,
    out,
    err,
    pages,
    connects,
    closed: () => closed,
    ctrlC: (signal = 'SIGINT') => interrupt.abort(signal),
    run: (...args: string[]) => runCommandLine(args, cli),
  };
}

/** A test that reaches what it did not provide is told so. */
const strict = (service: Partial<PlanService>): PlanService =>
  new Proxy(service as PlanService, {
    get(target, name) {
      const method = Reflect.get(target, name);
      if (method === undefined) throw new Error(`the test gives no service.${String(name)}`);
      return method;
    },
  });

export const summary = (plan_id: string, more: Partial<PlanSummary> = {}): PlanSummary => ({
  plan_id,
  name: 'release',
  state: { status: 'executing' },
  owner: 'local',
  created_at: AT,
  ended_at: null,
  ...more,
});

export const view = (more: Partial<ReadPlan> = {}): ReadPlan => ({
  plan_id: ID,
  workflow_id: `plan/local/${ID}`,
  name: 'release',
  state: { status: 'executing' },
  run: 1,
  pausing: false,
  stopping: false,
  progress: { done: 0, total: 0, percentage: 0 },
  progress_percentage: 0,
  position: { step: 1, steps: 1 },
  current_task: null,
  current_tasks: [],
  tasks: [],
  tasks_total: 0,
  children: [],
  deadline_at: null,
  questions: [],
  waiting_for: [],
  allowed_actions: [],
  error: null,
  created_at: AT,
  created_by: 'Ada',
  updated_at: AT,
  seq: 0,
  freshness: { live: true, at: AT },
  ...more,
});
