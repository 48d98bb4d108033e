import { afterAll, beforeAll, expect, test } from 'vitest';
import { startWorld } from '../support/world.ts';

let world: Awaited<ReturnType<typeof startWorld>>;
beforeAll(async () => {
  world = await startWorld();
});
afterAll(() => world.stop());

const utf8 = (data: Uint8Array | null | undefined) => JSON.parse(Buffer.from(data ?? []).toString('utf8'));

test('the Temporal Web UI reads like the plan: name, description, state, tasks, and what each activity and timer is for', async () => {
  const id = await world.create(`
plan: 1
name: release
description: Ships it
tasks:
  build: { run: "true" }
  rest: { needs: build, wait: 1h }
  ok: { needs: build, approve: Ship it? }
`);
  await world.reaches(id, 'stand_by');

  const described = await world.handle(id).describe();
  expect(await described.staticSummary()).toBe('release');
  expect(await described.staticDetails()).toBe('Ships it');
  expect(described.searchAttributes).toMatchObject({
    HoldpointPlan: ['release'],
    HoldpointOrg: ['local'],
    HoldpointState: ['stand_by'],
  });

  const { currentDetails } = await world.handle(id).query<{ currentDetails: string }>('__temporal_workflow_metadata');
  expect(currentDetails).toContain('**stand_by** · 1 of 3 tasks done (33 %)');
  expect(currentDetails).toContain('| `build` | run | ✓ succeeded |');
  expect(currentDetails).toContain('| `ok` | approve | … waiting |  | Ship it? |');

  const events = await world.history(id);
  const summaries = events.flatMap(({ userMetadata }) =>
    userMetadata?.summary ? [utf8(userMetadata.summary.data)] : [],
  );
  expect(summaries).toEqual(['release', 'build', 'rest']);
  await world.command(id, 'stop');
});
