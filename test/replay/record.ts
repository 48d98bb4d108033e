import type { History } from '@temporalio/worker';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { readStory } from '../support/promises/read-story.ts';
import { checkPromises } from '../support/promises.ts';
import { replayProblem } from '../support/replay.ts';
import { startWorld } from '../support/world.ts';
import { mustBeNew, namesFor, portable, save } from './histories.ts';
import { KEPT_SCENARIOS } from './kept-scenarios.ts';
import { ADA, driven, PLACE, SCENARIOS } from './scenarios.ts';

let world: Awaited<ReturnType<typeof startWorld>>;
beforeAll(async () => {
  world = await startWorld();
});
afterAll(async () => {
  await world.stop();
});

/** With `HOLDPOINT_RECORD=dry` nothing is written: the scenario is played, made portable and replayed. */
const DRY = process.env.HOLDPOINT_RECORD === 'dry';

// Run by `npm run record:histories -- NAME`; each is written once, and then only ever replayed.
test.for(Object.entries({ ...SCENARIOS, ...KEPT_SCENARIOS }))('%s', async ([name, scenario]) => {
  if (!DRY) mustBeNew(name);
  const request = {
    plan: scenario.plan,
    place: PLACE,
    ...scenario.create?.(),
  };
  const { plan_id } = await world.service.create(ADA, request);
  await scenario.script(driven(world, plan_id));
  const plan = { client: world.client, orgId: ADA.principal.org_id, planId: plan_id };
  expect(await checkPromises(plan)).toEqual([]);
  const { histories } = await readStory(plan);
  const portables = histories.map(({ workflow_id, events }) => portable(workflow_id, { events }));
  if (scenario.beside !== undefined) {
    for (const events of await runsOf(scenario.beside)) portables.push(portable(scenario.beside, { events }));
  }
  for (const history of portables)
    expect(await replayProblem(inject('bundle'), history, history.workflow_id)).toBeUndefined();
  if (DRY) return;
  for (const [i, file] of namesFor(name, portables.length).entries()) save(file, portables[i]!);
});

/** The histories of a workflow that hands over to itself, in order. */
async function runsOf(id: string): Promise<HistoryEvent[][]> {
  const runs: HistoryEvent[][] = [];
  let run: string | undefined;
  do {
    const { events = [] } = await world.client.workflow.getHandle(id, run).fetchHistory();
    runs.unshift(events ?? []);
    run = events?.[0]?.workflowExecutionStartedEventAttributes?.continuedExecutionRunId || undefined;
  } while (run !== undefined);
  return runs;
}
type HistoryEvent = NonNullable<History['events']>[number];
