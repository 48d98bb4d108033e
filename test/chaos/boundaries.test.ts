import { afterEach, expect, test } from 'vitest';
import { http, killAtEvent, newHome } from '../support/engine.ts';
import { witness } from '../support/world.ts';
import { FULL, judge, type Victim } from './campaign.ts';

let home: ReturnType<typeof newHome>;
afterEach(async () => {
  await home.end();
});

/** A chain, a fork, a back-off, a wait and a join: about 50 events. */
const sample = ({ mark, path }: Victim['marks']) => `
plan: 1
name: sample
tasks:
  a: { run: "${mark('a')}; sleep 0.2" }
  b: { needs: [a], run: "${mark('b')}; test $(wc -l < ${path('b')}) -ge 2", retry: { max_attempts: 4, delay: 100ms } }
  c: { needs: [a], run: "${mark('c')}; sleep 0.2" }
  w: { needs: [a], wait: 300ms }
  d: { needs: [b, c, w], run: "${mark('d')}; sleep 0.1" }
`;
const EVENTS = FULL ? Array.from({ length: 50 }, (_, i) => i + 1) : [10, 24];

test.each(EVENTS)(
  'killed at event %i of its history, a plan completes with all promises kept',
  async (event) => {
    home = newHome();
    const marks = witness();
    const engine = await home.up();
    const id = await http(engine.url).create(sample(marks));
    await killAtEvent(engine.child.pid!, engine.temporal, id, event);
    const [judged] = await judge(home, [{ id, marks }]);
    expect(judged!.violations).toEqual([]);
  },
  120_000,
);
