import { setTimeout as delay } from 'node:timers/promises';
import { Client } from '@temporalio/client';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { connectClient } from '../../src/temporal/connection.ts';
import { http, newHome } from '../support/engine.ts';
import { readStory } from '../support/promises/read-story.ts';
import { checkStory } from '../support/promises.ts';
import { until } from '../support/world.ts';
import { FULL } from './campaign.ts';
import { type Engine, KILLS, serverPid, type Victim } from './kill-campaign/kill.ts';
import { moments } from './kill-campaign/moments.ts';
import { campaignPlan, MOST_IN_FLIGHT, rightOutputs } from './kill-campaign/plan.ts';
import { seenSucceeded } from './kill-campaign/seen.ts';

const MOMENTS = moments(FULL ? 50 : 2);

let home: ReturnType<typeof newHome>;
let engine: Engine;
beforeAll(async () => {
  home = newHome();
  engine = await home.up();
});
afterAll(async () => {
  await home.end();
});

describe.each(Object.keys(KILLS) as Victim[])('kill -9 of %s', (victim) => {
  const figures: { again: number; endMs: number }[] = [];
  afterAll(() => {
    if (FULL && figures.length > 0) console.log(summary(victim, figures));
  });

  test.each(MOMENTS)(
    'at moment $moment ($part of it begun, and $later_ms ms later): the plan ends right, and only what was in flight ran twice',
    async ({ part, later_ms }) => {
      const plan = campaignPlan();
      const id = await http(engine.url).create(plan.text);
      const follower = seenSucceeded(engine.url, id);
      await until('its moment comes', () => plan.begun() >= Math.floor(part * plan.total), 60_000);
      await delay(later_ms);
      const seen = follower.end();
      const killedAt = Date.now();
      engine = await KILLS[victim](home, engine);
      await follower.asking;

      const view = await completed(id);
      figures.push({ again: runTwice(plan).length, endMs: Date.now() - killedAt });
      // What was told as done is not done again.
      expect(seen.flatMap(plan.within).filter((task) => plan.marks.n(task) !== 1)).toEqual([]);
      expect(plan.marks.tasks.filter((task) => plan.marks.n(task) < 1 || plan.marks.n(task) > 2)).toEqual([]);
      expect(runTwice(plan).length).toBeLessThanOrEqual(MOST_IN_FLIGHT);
      expect(plan.overlaps()).toEqual([]);
      expect(stdoutOf(view)).toEqual(rightOutputs());
      expect(await broken(id, plan)).toEqual([]);
      const known = new Set([engine.child.pid!, serverPid(home)]);
      await until('nothing but engine and server runs', () => home.processes().every((pid) => known.has(pid)), 5_000);
    },
    120_000,
  );
});

const runTwice = ({ marks }: ReturnType<typeof campaignPlan>) => marks.tasks.filter((task) => marks.n(task) > 1);

interface Shown {
  state: { status: string };
  tasks: { id: string; outputs?: { stdout?: string } }[];
}

/** While its server is away the engine may answer with a fault. */
async function completed(id: string): Promise<Shown> {
  return await until(
    'the plan completes',
    async () => {
      const answer = await http(engine.url)
        .get(`/api/plans/${id}`)
        .catch(() => undefined);
      if (answer?.status === 404) throw new Error('a plan that was acknowledged is gone');
      if (answer?.status !== 200) return undefined;
      const { status } = answer.json.state;
      if (status === 'failed' || status === 'stopped') throw new Error(`it ended as ${status}: ${answer.text}`);
      return status === 'completed' && (answer.json as Shown);
    },
    60_000,
  );
}

const stdoutOf = ({ tasks }: Shown) =>
  Object.fromEntries(tasks.flatMap(({ id, outputs }) => (outputs?.stdout === undefined ? [] : [[id, outputs.stdout]])));

/** That its histories replay is shown by the engine that went on with them. */
async function broken(planId: string, { marks }: ReturnType<typeof campaignPlan>) {
  const connection = await connectClient({ address: engine.temporal });
  try {
    return checkStory(
      (await readStory({ client: new Client({ connection }), orgId: 'local', planId, witness: marks })).story,
    );
  } finally {
    await connection.close();
  }
}

function summary(victim: Victim, figures: { again: number; endMs: number }[]): string {
  const ends = figures.map(({ endMs }) => endMs).sort((a, b) => a - b);
  const again = figures.reduce((sum, one) => sum + one.again, 0);
  const at = (part: number) => ends[Math.floor(part * (ends.length - 1))];
  return `kill -9 of ${victim}: ${ends.length} kills, ${ends.length} plans ended, ${again} attempts in flight ran again; kill to end: median ${at(0.5)} ms, longest ${at(1)} ms`;
}
