import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll } from 'vitest';
import { fileArtifactStore } from '../../../src/activities/artifact-store.ts';
import { type Resolve, systemResolve } from '../../../src/activities/http/guarded-agent.ts';
import { http, requester } from '../../../src/activities/http.ts';
import { TaskFailure } from '../../../src/activities/kind.ts';
import { NO_LEDGER } from '../../../src/activities/llm/ledger.ts';
import { NO_MODELS } from '../../../src/activities/llm/models.ts';
import { NO_SECRETS } from '../../../src/activities/secrets.ts';
import type { AttemptInput } from '../../../src/contract/payloads.ts';
import type { Scope } from '../../../src/plan/expression.ts';
import type { Json } from '../../../src/plan/json.ts';
import { tempDir } from '../../support/world.ts';

export const folder = tempDir('http');
export const store = fileArtifactStore(join(folder, 'artifacts'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

interface Options {
  allow?: string[];
  signal?: AbortSignal;
  resolve?: Resolve;
  tasks?: Scope['tasks'];
  inputs?: Scope['inputs'];
  input?: Partial<AttemptInput>;
}

/** One attempt, as the activity carries it out. */
export async function attempt(words: unknown, options: Options = {}) {
  const { allow = ['127.0.0.1'], signal = new AbortController().signal, resolve = systemResolve } = options;
  const input: AttemptInput = {
    schema_version: 1,
    principal: { id: 'p', name: 'P', org_id: 'local' },
    plan_id: 'plan',
    run: 1,
    task: 'ask',
    kind: 'http',
    attempt: 1,
    dispatch: 1,
    with: http.plain(http.words.parse(words), {}),
    scope: { inputs: options.inputs ?? {}, tasks: options.tasks ?? {}, plan: { id: 'plan', name: 'n', run: 1 } },
    env: {},
    place: { env: {} },
    idempotency_key: 'plan/1/ask',
    inline_limit: 4_096,
    ...options.input,
  };
  const context = {
    signal,
    store,
    allowPrivateHosts: allow,
    agentCommand: ['claude', '-p'],
    secrets: NO_SECRETS,
    planFolder: folder,
    onProcessGroup() {},
    onOutput() {},
    onKept() {},
    onLlmCall() {},
    models: NO_MODELS,
    ledger: NO_LEDGER,
  };
  const { outputs } = await requester(resolve)(input, context);
  return outputs as { status: Json; headers: Record<string, string>; body: Json; url: Json };
}

/** How an attempt fails. */
export async function failure(words: unknown, options?: Options): Promise<TaskFailure> {
  const error: unknown = await attempt(words, options).then(
    () => new Error('it did not fail'),
    (error: unknown) => error,
  );
  if (!(error instanceof TaskFailure)) throw error;
  return error;
}
