import { rmSync } from 'node:fs';
import { afterAll } from 'vitest';
import { type Resolve, systemResolve } from '../../../src/activities/http/guarded-agent.ts';
import { TaskFailure } from '../../../src/activities/kind.ts';
import { NO_LEDGER } from '../../../src/activities/llm/ledger.ts';
import { NO_MODELS } from '../../../src/activities/llm/models.ts';
import type { Row, RowsResult } from '../../../src/activities/program/chunk.ts';
import type { Times } from '../../../src/activities/program/page-source.ts';
import { reader } from '../../../src/activities/program/read.ts';
import { rows } from '../../../src/activities/program/rows.ts';
import { chunksOf } from '../../../src/activities/program/upstream.ts';
import { NO_SECRETS, type Secrets } from '../../../src/activities/secrets.ts';
import { fileStores } from '../../../src/activities/stores.ts';
import type { AttemptInput } from '../../../src/contract/payloads.ts';
import type { Json, JsonObject } from '../../../src/plan/json.ts';
import type { ReadPosition } from '../../../src/plan/read-position.ts';
import type { ListSource, ReadNode, RowOp } from '../../../src/program/dag.ts';
import { tempDir } from '../../support/world.ts';

export const home = tempDir('program');
export const stores = fileStores(home);
afterAll(() => rmSync(home, { recursive: true, force: true }));

let plans = 0;
export const newPlan = (): string => `plan-${++plans}`;

export interface Options {
  plan?: string;
  allow?: string[];
  signal?: AbortSignal;
  resolve?: Resolve;
  secrets?: Secrets;
  times?: Times;
  from?: ReadPosition;
  input?: Partial<AttemptInput>;
}

const soon: Times = { page_ms: 5_000, again_ms: [5, 5] };

export const pokemon = (url: string, more: Partial<ListSource> = {}): ListSource => ({
  http: { url },
  items: 'body.items',
  next: 'body.next',
  cursor: 'cursor',
  ...more,
});

export const readNode = (source: ReadNode['source'], ops: RowOp[] = [], more: Partial<ReadNode> = {}): ReadNode => ({
  id: 'n1',
  op: 'read',
  entity: 'Pokemon',
  prompt_hash: 'hash',
  source,
  ops,
  ...more,
});

/** One attempt of a read, as the activity carries it out; with the rows that it left. */
export async function read(node: ReadNode, options: Options = {}) {
  const { plan = newPlan(), from } = options;
  const words = { node, step: 1, total: 1, label: node.entity, ...(from && { from }) };
  const execute = reader(options.resolve ?? systemResolve, options.times ?? soon);
  const { outputs } = await execute(inputOf('read', plan, words as unknown as Json, options), contextOf(plan, options));
  return { plan, ...(await resultOf(plan, outputs)) };
}

/** Ops done to rows that another node of the plan left. */
export async function pipe(given: Row[][], ops: RowOp[], options: Options = {}) {
  const { plan = newPlan() } = options;
  const store = stores.artifacts.ofPlan(plan);
  const chunks = await Promise.all(
    given.map(async (list) => ({ ...((await store.putJson(list)) as JsonObject), rows: list.length })),
  );
  const count = given.flat().length;
  const words = { node: { id: 'n2', op: 'rows', from: 'n1', ops }, step: 2, total: 2, label: 'sorted' };
  const input = inputOf('rows', plan, words as unknown as Json, options);
  input.scope.tasks.n1 = { status: 'succeeded', outputs: { count, chunks } };
  const { outputs } = await rows.execute(input, contextOf(plan, options));
  return { plan, ...(await resultOf(plan, outputs)) };
}

async function resultOf(plan: string, outputs: JsonObject) {
  const { count, next } = outputs as unknown as RowsResult;
  const chunks = await chunksOf(outputs, stores.artifacts.ofPlan(plan));
  const all = await stores.rows.read(plan, chunks, 0, Number.POSITIVE_INFINITY);
  return { count, chunks, next, rows: all, outputs };
}

function inputOf(kind: string, plan: string, words: Json, options: Options): AttemptInput {
  return {
    schema_version: 1,
    principal: { id: 'p', name: 'P', org_id: 'local' },
    plan_id: plan,
    run: 1,
    task: 'n1',
    kind,
    attempt: 1,
    dispatch: 1,
    with: words,
    scope: { inputs: {}, tasks: {}, plan: { id: plan, name: 'n', run: 1 } },
    env: {},
    place: { env: {} },
    idempotency_key: `${plan}/1/n1`,
    inline_limit: 4_096,
    ...options.input,
  };
}

function contextOf(plan: string, options: Options) {
  return {
    signal: options.signal ?? new AbortController().signal,
    store: stores.artifacts.ofPlan(plan),
    allowPrivateHosts: options.allow ?? ['127.0.0.1'],
    agentCommand: ['claude', '-p'],
    secrets: options.secrets ?? NO_SECRETS,
    planFolder: stores.planFolder(plan),
    onProcessGroup() {},
    onOutput() {},
    onKept() {},
    onLlmCall() {},
    models: NO_MODELS,
    ledger: NO_LEDGER,
  };
}

/** How an attempt fails. */
export async function failure(work: Promise<unknown>): Promise<TaskFailure> {
  const error: unknown = await work.then(
    () => new Error('it did not fail'),
    (error: unknown) => error,
  );
  if (!(error instanceof TaskFailure)) throw error;
  return error;
}
