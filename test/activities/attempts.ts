import { join } from 'node:path';
import { fileArtifactStore } from '../../src/activities/artifact-store.ts';
import type { AttemptContext } from '../../src/activities/kind.ts';
import { NO_LEDGER } from '../../src/activities/llm/ledger.ts';
import { NO_MODELS } from '../../src/activities/llm/models.ts';
import { run } from '../../src/activities/run.ts';
import { NO_SECRETS } from '../../src/activities/secrets.ts';
import type { AttemptInput } from '../../src/contract/payloads.ts';
import type { Json, JsonObject } from '../../src/plan/json.ts';
import { tempDir } from '../support/world.ts';

export interface Given extends Partial<AttemptInput> {
  inputs?: JsonObject;
  outputs?: Record<string, JsonObject>;
}

/** A folder in which attempts of `run` can be made one after another, without Temporal. */
export function place(signal: AbortSignal = new AbortController().signal) {
  const planFolder = tempDir('run');
  const store = fileArtifactStore(join(planFolder, 'artifacts'));
  const context: AttemptContext = {
    signal,
    store,
    allowPrivateHosts: [],
    agentCommand: ['claude', '-p'],
    secrets: NO_SECRETS,
    planFolder,
    onProcessGroup() {},
    onOutput() {},
    onKept() {},
    onLlmCall() {},
    models: NO_MODELS,
    ledger: NO_LEDGER,
  };
  const work = join(planFolder, 'work');
  return {
    planFolder,
    work,
    store,
    context,
    log: join(planFolder, 'logs', 'run-1', 'a#1.1.log'),
    async run(script: string, words: JsonObject = {}, given: Given = {}): Promise<Json> {
      const { inputs = {}, outputs = {}, ...more } = given;
      const tasks = Object.entries(outputs).map(([id, outputs]) => [id, { status: 'succeeded', outputs }] as const);
      const input: AttemptInput = {
        schema_version: 1,
        principal: { id: 'u', name: 'u', org_id: 'local' },
        plan_id: 'p',
        run: 1,
        task: 'a',
        kind: 'run',
        attempt: 1,
        dispatch: 1,
        with: { script, ...words },
        scope: { inputs, tasks: Object.fromEntries(tasks), plan: { id: 'p', name: 'n', run: 1 } },
        env: {},
        place: { env: { PATH: process.env.PATH! } },
        idempotency_key: 'p/0/a',
        inline_limit: 4_096,
        ...more,
      };
      return (await run.execute(input, context)).outputs;
    },
  };
}
