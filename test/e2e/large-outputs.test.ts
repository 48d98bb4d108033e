import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { FULL } from '../chaos/campaign.ts';
import { http, newHome } from '../support/engine.ts';
import { until } from '../support/world.ts';

const MIB = 1_024 * 1_024;
const SIZE = (FULL ? 1_024 : 128) * MIB;
/** What the engine may take besides, at its peak, whatever passes through it. */
const MOST_MORE = (FULL ? 160 : 96) * MIB;

let home: ReturnType<typeof newHome>;
let engine: Awaited<ReturnType<ReturnType<typeof newHome>['up']>>;
beforeAll(async () => {
  home = newHome();
  engine = await home.up();
  await play('{ run: "head -c 100000 /dev/zero > small", outputs: [small] }');
});
afterAll(async () => {
  await home.end();
});

/** The most memory that the engine has had at a time, in bytes. */
const peak = (): number =>
  Number(/VmHWM:\s+(\d+) kB/.exec(readFileSync(`/proc/${engine.child.pid}/status`, 'utf8'))![1]) * 1_024;

async function play(task: string): Promise<string> {
  const api = http(engine.url);
  const id = await api.create(`plan: 1\nname: large\ntasks:\n  t: ${task}\n`);
  await until(
    'it completes',
    async () => {
      const { state, error } = (await api.get(`/api/plans/${id}`)).json;
      if (state.status === 'failed') throw new Error(JSON.stringify(error));
      return state.status === 'completed';
    },
    240_000,
  );
  return id;
}

test.each([
  ['a declared file', `{ run: "head -c ${SIZE} /dev/urandom > big", outputs: [big] }`],
  ['an output', `{ run: "head -c ${SIZE} /dev/zero | tr '\\\\0' x" }`],
])(
  `%s of ${SIZE / MIB} MiB passes through, and is given out, without being held in memory`,
  async (_, task) => {
    const before = peak();
    const id = await play(task);
    const { artifacts } = (await http(engine.url).get(`/api/plans/${id}/artifacts`)).json;
    const [{ sha256, bytes }] = artifacts;
    const response = await fetch(`${engine.url}/api/plans/${id}/artifacts/${sha256}`);
    let read = 0;
    for await (const chunk of response.body!) read += chunk.length;
    expect(read).toBe(bytes);
    console.log(`peak of the engine: ${Math.round(before / MIB)} MiB before, ${Math.round(peak() / MIB)} MiB after`);
    expect(peak() - before).toBeLessThan(MOST_MORE);
  },
  300_000,
);
