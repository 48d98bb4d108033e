import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { http, killAtEvent, newHome } from '../support/engine.ts';
import { type LlmStub, llmStub } from '../support/llm-stub.ts';
import { until } from '../support/world.ts';

/** Of kills between the two, and how often it is tried to get in between. */
const ENOUGH = 3;
const MOST = 15;
/** The first event of the plan that is there only when its one attempt has ended. */
const ATTEMPT_ENDED = 7;

let home: ReturnType<typeof newHome>;
let stub: LlmStub;
afterEach(async () => {
  await home.end();
  stub.stop();
});

test('kill -9 after an attempt has ended, before the ledger was told what it came to: it is told by the next engine, once', async () => {
  stub = await llmStub(({ user }) => `An answer to ${user}`);
  home = newHome({ HOLDPOINT_LLM_BASE_URL: stub.base_url, HOLDPOINT_LLM_MODEL: 'stub' });
  let engine = await home.up();
  let between = 0;
  for (let n = 1; between < ENOUGH; n += 1) {
    expect(n, `${between} kills came in between`).toBeLessThanOrEqual(MOST);
    const id = await http(engine.url).create(
      `{plan: 1, name: paid ${n}, labels: {project: paid}, tasks: {ask: {llm: "${'x'.repeat(n)}"}}}`,
    );
    await killAtEvent(engine.child.pid!, engine.temporal, id, ATTEMPT_ENDED);
    await until('the engine is gone', () => engine.child.signalCode !== null);
    if (untold().length > 0) between += 1;
    engine = await home.up();
    const api = http(engine.url);
    await until('it completes', async () => (await api.state(id)) === 'completed', 60_000);
    await until('nothing is left to be told', () => untold().length === 0);
    // What a killed worker had taken of the ledger is given to the next after some seconds: till then it may not be told.
    const limits = await until('the ledger answers', async () => {
      const { status, json } = await api.get('/settings/limits?projectId=paid');
      return status === 200 && json;
    });
    expect(stub.calls).toHaveLength(n);
    expect(limits.spent.project).toEqual({
      tokens: stub.answered.total_tokens,
      cost: 0,
      reserved: { tokens: 0, cost: 0 },
    });
  }
}, 300_000);

const untold = (): string[] => readdirSync(join(home.home, 'ledger'));
