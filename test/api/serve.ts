import { once } from 'node:events';
import { request as httpRequest, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import pino from 'pino';
import { Registry } from 'prom-client';
import { onTestFinished } from 'vitest';
import { type ApiOptions, createApi } from '../../src/api/api.ts';
import type { ProblemDocument } from '../../src/api/errors.ts';
import { Fault } from '../../src/faults.ts';
import { mcpOverHttp } from '../../src/mcp/http.ts';
import { NO_LIMITS } from '../../src/plan/ledger.ts';
import { statusFrom } from '../../src/service/agents/run-record.ts';
import type { Answer as ProgramAnswer } from '../../src/service/execute/answer.ts';
import { readPlanFile } from '../../src/service/plan-file.ts';
import { planReader } from '../../src/service/plan-reader.ts';
import type { PlanService } from '../../src/service/service.ts';
import { validatePlan } from '../../src/service/validate-plan.ts';

export const ID = '11111111-1111-4111-8111-111111111111';
export const PLAN = 'plan: 1\nname: one\ntasks:\n  a: { run: echo }\n';
export const PLACE = { directory: '/somewhere', env: { PATH: '/bin' } };

export interface Answer {
  status: number;
  headers: IncomingHttpHeaders;
  text: string;
  /** What was answered in JSON, most often a problem. */
  json: ProblemDocument & Record<string, unknown>;
}
export interface Ask {
  headers?: Record<string, string | string[]>;
  body?: string | Buffer | object;
}

const SPENT = { tokens: 0, cost: 0, reserved: { tokens: 0, cost: 0 } };
const LIMITS = { ...NO_LIMITS, limits: NO_LIMITS, spent: { today: { date: '2026-01-15', ...SPENT } } };
const SENT = { status: 'started', chatId: 'c', pipelineRunId: ID } as const;
const NO_AGENTS: PlanService['agents'] = {
  send: async (_caller, { chatId }) => ({ ...SENT, chatId }),
  status: async (_caller, chatId) => statusFrom(chatId, undefined),
  run: () => Promise.reject(new Fault('PLAN_NOT_FOUND', 'none')),
  checkpoint: async (_caller, pipelineRunId) => ({ pipelineRunId, checkpointId: 'q.1', option: null }),
  dismiss: async () => {},
  retry: async () => SENT,
  messages: async () => [],
  async *follow() {},
};

const ANSWER: ProgramAnswer = { status: 200, markdown: '_no rows_', rows: [], columns: [], meta: { plasm: {} } };
const NO_HANDLE = () => Promise.reject(new Fault('HANDLE_NOT_FOUND', 'none'));
const NO_PROGRAMS: PlanService['execute'] = {
  registerCatalog: async () => ({ prompt_hash: 'abcdef0123456789', name: 'pokedex', entities: [], created: true }),
  catalogs: async () => [],
  catalog: async (_caller, prompt_hash) => ({ prompt_hash, name: 'pokedex', entities: [], teaching: '# pokedex' }),
  run: async () => ANSWER,
  sessions: async () => [],
  operations: async () => ({ operations: [], next_before: null }),
  operation: NO_HANDLE,
  rows: NO_HANDLE,
  snapshot: NO_HANDLE,
  cancel: NO_HANDLE,
  follow: NO_HANDLE,
};

/** A service that keeps what it was asked and answers as told, or else in the plainest way. */
export function fakeService(told: Partial<PlanService> = {}) {
  const calls: unknown[][] = [];
  const plain: PlanService = {
    create: async () => ({ plan_id: ID, created: true }),
    validate: (caller, request) => validatePlan(planReader(), caller, request),
    read: async () => ({ plan_id: ID, freshness: { live: true, at: '' } }) as Awaited<ReturnType<PlanService['read']>>,
    definition: async () => readPlanFile(PLAN).definition,
    givenFile: async () => ({ text: PLAN, form: 'as-given' }),
    givenInputs: async () => ({ inputs: {}, given: [] }),
    list: async () => ({ plans: [], next_cursor: null }),
    command: async () => ({ request_id: 'r', result: 'done' }),
    outcome: async () => ({ request_id: 'r', result: 'done' }),
    events: async () => [],
    timeline: async () => ({ entries: [], next_after: null }),
    follow: async () => ({ over: true, pushed: async function* () {} }),
    subscribe: () => () => {},
    nextRun: async (_caller, plan_id, { mode }) => ({ plan_id, mode, resume_count: 1 }),
    logs: async () => [],
    openLog: async () => undefined,
    async *followLogs() {},
    artifacts: async () => [],
    artifact: () => Promise.reject(new Fault('OUTPUT_NOT_FOUND', 'none')),
    output: async () => ({ value: null }),
    bundle: async () => ({ name: 'one.zip', read: () => Readable.from([Buffer.from('PK')]) }),
    limits: async () => LIMITS,
    setLimits: async (_caller, limits) => ({ ...LIMITS, ...limits }),
    budget: async (_caller, plan_id) => ({ plan_id, budget: { max_tokens: null, max_cost: null }, spent: SPENT }),
    setBudget: async (_caller, plan_id) => ({ plan_id, budget: { max_tokens: 1, max_cost: null }, spent: SPENT }),
    sessions: async () => [],
    session: () => Promise.reject(new Fault('PLAN_NOT_FOUND', 'none')),
    removeSession: async () => ({ kept: [] }),
    ready: async () => true,
    agents: NO_AGENTS,
    execute: NO_PROGRAMS,
  };
  const answers = { ...plain, ...told };
  const { agents, execute, ...methods } = answers;
  const kept = Object.entries(methods).map(([name, answer]) => [
    name,
    (...given: unknown[]) => {
      calls.push([name, ...given.slice(1)]);
      return (answer as (...given: unknown[]) => unknown)(...given);
    },
  ]);
  return { calls, service: { ...Object.fromEntries(kept), agents, execute } as PlanService };
}

/** The API over a real port, and what it logged; it ends with the test. */
export async function serve(told: Partial<PlanService> = {}, options: Partial<ApiOptions> = {}) {
  const { calls, service } = fakeService(told);
  const log: Record<string, unknown>[] = [];
  const logger = pino({ level: 'trace' }, { write: (line: string) => void log.push(JSON.parse(line)) });
  const place = () => PLACE;
  const mcp = mcpOverHttp(service, { place, onInternal: (err) => logger.error({ err }), version: '1.2.3' });
  const app = createApi({ service, logger, registry: new Registry(), place, mcp, ...options });
  const server = app.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  const { port } = server.address() as AddressInfo;

  /** `target` is a method and a path, such as `GET /healthz`, sent as they are. */
  async function ask(target: string, { headers = {}, body }: Ask = {}): Promise<Answer> {
    const [method, path] = target.split(' ') as [string, string];
    const bytes = Buffer.isBuffer(body)
      ? body
      : body === undefined
        ? ''
        : typeof body === 'string'
          ? body
          : JSON.stringify(body);
    const type =
      body === undefined ? {} : { 'content-type': typeof body === 'object' ? 'application/json' : 'application/yaml' };
    const sent = httpRequest({
      port,
      method,
      path,
      agent: false,
      headers: { ...type, 'content-length': Buffer.byteLength(bytes), ...headers },
    });
    sent.end(bytes);
    const [answer] = await once(sent, 'response');
    const told = await text(answer);
    const isJson = /json/.test(answer.headers['content-type'] ?? '') && told !== '';
    return {
      status: answer.statusCode,
      headers: answer.headers,
      text: told,
      json: isJson ? JSON.parse(told) : undefined,
    };
  }
  return { ask, calls, log, port };
}
