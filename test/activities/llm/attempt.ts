import { readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileArtifactStore } from '../../../src/activities/artifact-store.ts';
import { type AttemptContext, TaskFailure } from '../../../src/activities/kind.ts';
import type { LlmLedger, LlmReservation, LlmReserved, LlmSettlement } from '../../../src/activities/llm/ledger.ts';
import { type LlmSettings, readModels } from '../../../src/activities/llm/models.ts';
import { llm } from '../../../src/activities/llm.ts';
import { secretSource } from '../../../src/activities/secrets.ts';
import type { AttemptInput } from '../../../src/contract/payloads.ts';
import type { Scope } from '../../../src/plan/expression.ts';
import type { Json, JsonObject } from '../../../src/plan/json.ts';
import { tempDir } from '../../support/world.ts';

export const KEY = 'sk-stub-0123456789abcdef';

interface Options {
  signal?: AbortSignal;
  tasks?: Scope['tasks'];
  inputs?: Scope['inputs'];
  input?: Partial<AttemptInput>;
  ledger?: Partial<LlmLedger>;
}

/** A folder in which attempts are made one after another, with a ledger that remembers what it was told. */
export async function place(base_url: string, more: Partial<LlmSettings> = {}) {
  const folder = tempDir('llm');
  const store = fileArtifactStore(join(folder, 'artifacts'));
  const key = (variable?: string) => (variable === undefined ? KEY : undefined);
  const models = await readModels({ baseUrl: base_url, model: 'stub', modelsFile: undefined, key, ...more });
  const told: (({ reserve: LlmReservation } | { settle: LlmSettlement }) & object)[] = [];
  const heard = { output: 0, calls: 0 };

  async function attempt(words: unknown, options: Options = {}): Promise<JsonObject> {
    const input: AttemptInput = {
      schema_version: 1,
      principal: { id: 'p', name: 'P', org_id: 'local' },
      plan_id: 'plan',
      run: 1,
      task: 'ask',
      kind: 'llm',
      attempt: 1,
      dispatch: 1,
      with: llm.plain(llm.words.parse(words), {}),
      scope: { inputs: options.inputs ?? {}, tasks: options.tasks ?? {}, plan: { id: 'plan', name: 'n', run: 1 } },
      env: {},
      place: { env: {} },
      idempotency_key: 'plan/1/ask',
      inline_limit: 4_096,
      ...options.input,
    };
    const ledger: LlmLedger = {
      async reserve(reserve, signal): Promise<LlmReserved> {
        told.push({ reserve });
        return (await options.ledger?.reserve?.(reserve, signal)) ?? { granted: true };
      },
      async settle(settle) {
        told.push({ settle });
        await options.ledger?.settle?.(settle);
      },
    };
    const context: AttemptContext = {
      signal: options.signal ?? new AbortController().signal,
      store,
      allowPrivateHosts: [],
      agentCommand: ['claude', '-p'],
      secrets: { values: {}, mask: secretSource([], () => undefined, models.keys).mask },
      planFolder: folder,
      onProcessGroup() {},
      onOutput: () => (heard.output += 1),
      onKept() {},
      onLlmCall: () => (heard.calls += 1),
      models,
      ledger,
    };
    return (await llm.execute(input, context)).outputs;
  }

  return {
    folder,
    store,
    told,
    heard,
    attempt,
    reserved: () => told.flatMap((one) => ('reserve' in one ? [one.reserve] : [])),
    settled: () => told.flatMap((one) => ('settle' in one ? [one.settle] : [])),
    /** How an attempt fails. */
    async failure(words: unknown, options?: Options): Promise<TaskFailure> {
      const error: unknown = await attempt(words, options).then(
        (outputs) => new Error(`it did not fail: ${JSON.stringify(outputs)}`),
        (error: unknown) => error,
      );
      if (!(error instanceof TaskFailure)) throw error;
      return error;
    },
    /** All that lies in the folder, by path. */
    files(): Record<string, string> {
      const paths = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
      return Object.fromEntries(
        paths.map(({ parentPath, name }) => [join(parentPath, name), readFileSync(join(parentPath, name), 'utf8')]),
      );
    },
    log: (name = 'ask#1.1'): string => readFileSync(join(folder, 'logs', 'run-1', `${name}.log`), 'utf8'),
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}
export type LlmPlace = Awaited<ReturnType<typeof place>>;
export type { Json };
