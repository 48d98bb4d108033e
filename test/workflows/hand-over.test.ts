import { afterAll, beforeAll, expect, test } from 'vitest';
import type { CommandInput } from '../../src/contract/payloads.ts';
import { HANDOVER_EVENTS } from '../../src/workflows/history-room.ts';
import { FULL } from '../chaos/campaign.ts';
import { checkPromises } from '../support/promises.ts';
import { caller, startWorld, until, witness } from '../support/world.ts';

let world: Awaited<ReturnType<typeof startWorld>>;
beforeAll(async () => {
  world = await startWorld();
});
afterAll(async () => {
  await world.stop();
});

type Name = 'pause' | 'resume' | 'stop' | 'hold' | 'release';
let sent = 0;
const signal = async (id: string, name: Name, more: CommandInput = {}) => {
  const request_id = `${name}-${++sent}`;
  await world.handle(id).signal(name, { schema_version: 1, request_id, actor: caller.principal, ...more });
  return request_id;
};

const runsOf = async (id: string) => {
  const seen = new Set<string>();
  const query = `WorkflowId = 'plan/local/${id}'`;
  for await (const { runId } of world.client.workflow.list({ query })) seen.add(runId);
  return seen.size;
};

/** With no worker there, fills the history up to where it is handed over; what comes last comes with the hand-over. */
async function atTheHandOver(id: string, last: Name[]): Promise<string[]> {
  await world.stopWorker();
  for (let rounds = HANDOVER_EVENTS / 100; rounds > 0; rounds--)
    await Promise.all(Array.from({ length: 100 }, (_, k) => signal(id, k % 2 ? 'hold' : 'release', { task: 'b' })));
  const ids: string[] = [];
  for (const name of last) ids.push(await signal(id, name));
  await world.startWorker();
  return ids;
}

const LAST: Name[][] = [['pause'], ['pause', 'stop']];

// Filling a history takes half a minute; that one is handed over while commands come is shown by a storm of them in any run.
test.runIf(FULL).each(LAST.map((last) => ({ last })))(
  'what comes exactly as the history is handed over counts, once: $last (case 21)',
  async ({ last }) => {
    const w = witness();
    const id = await world.create(
      `plan: 1\nname: h\ntasks:\n  ok: { approve: Go on? }\n  b: { needs: [ok], run: "${w.mark('b')}" }\n`,
    );
    await world.reaches(id, 'awaiting_input');
    const requests = await atTheHandOver(id, last);
    await until('it is handed over', async () => (await runsOf(id)) === 2, 90_000);
    if (!last.includes('stop')) {
      expect((await world.reaches(id, 'paused')).questions).toMatchObject([{ id: 'ok.1' }]);
      await until('the list agrees', async () => {
        const { plans } = await world.service.list(caller, { state: 'paused', limit: 500 });
        return plans.some(({ plan_id }) => plan_id === id);
      });
      requests.push(await signal(id, 'stop'));
    }
    await world.reaches(id, 'stopped');
    // On a busy machine the first history takes longer to replay than a caller waits.
    const read = () => world.service.events(caller, id, 0).catch(() => undefined);
    const types = (await until('its story can be read', read, 90_000)).map(({ type }) => type);
    expect(types.filter((type) => type === 'PlanPaused' || type === 'PlanStopped')).toEqual([
      'PlanPaused',
      'PlanStopped',
    ]);
    const held = types.filter((type) => type === 'TaskHeld' || type === 'TaskReleased');
    expect(held).toEqual(held.map((_, i) => (i % 2 ? 'TaskReleased' : 'TaskHeld')));
    expect(w.n('b')).toBe(0);
    const answers = requests.map((request_id) => ({ request_id, result: 'done' as const }));
    expect(await checkPromises({ client: world.client, orgId: 'local', planId: id, answers })).toEqual([]);
  },
  240_000,
);
