import { setTimeout as delay } from 'node:timers/promises';
import { afterEach, expect, test } from 'vitest';
import { http, newHome } from '../support/engine.ts';
import { witness } from '../support/world.ts';
import { diamond, FULL, judge, killEverything, type Victim } from './campaign.ts';

let home: ReturnType<typeof newHome>;
afterEach(async () => {
  await home.end();
});

/** Half seconds into each plan at which its engine dies, and how long each task takes. */
const OFFSETS_S = FULL ? Array.from({ length: 14 }, (_, i) => i / 2) : [0, 0.5, 1.5];
const TASK_S = FULL ? 3 : 1;
/** Every fourth round the Temporal server and the commands die with the engine. */
const ROUNDS = Array.from({ length: FULL ? 12 : 1 }, (_, i) => ({ round: i + 1, everything: i % 4 === 3 }));

// One death, many plans: each was created so long before it that it is in its own half second.
test.each(ROUNDS)(
  'killed at any half second, a diamond completes and no completed task runs again (case 33, round $round)',
  async ({ everything }) => {
    home = newHome();
    const engine = await home.up();
    const api = http(engine.url);
    const last = Math.max(...OFFSETS_S);
    const began = Date.now();
    const victims: Victim[] = [];
    for (const offset of OFFSETS_S.toReversed()) {
      await delay(Math.max(0, began + (last - offset) * 1_000 - Date.now()));
      const marks = witness();
      victims.push({ id: await api.create(diamond(marks, TASK_S)), marks });
    }
    await delay(Math.max(0, began + last * 1_000 - Date.now()));
    await (everything ? killEverything(home) : engine.kill());
    const judged = await judge(home, victims);
    for (const { violations, counts } of judged) {
      expect(violations).toEqual([]);
      expect(Math.max(...counts)).toBeLessThanOrEqual(2);
    }
    // The death was one: attempts were in flight, and ran again.
    expect(judged.flatMap(({ counts }) => counts)).toContain(2);
  },
  180_000,
);
