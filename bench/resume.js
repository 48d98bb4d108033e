// The engine is killed with kill -9 in a 20-step plan of 100 ms steps: how soon the next step starts after the restart.
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { benchHome, create, spread } from './engine.js';

const STEPS = 20;
const bench = benchHome();
const [toNext, toEnd, twice] = [[], [], []];
let engine = await bench.up();
try {
  for (let round = 0; round < 5; round++) {
    const file = bench.path('steps');
    rmSync(file, { force: true });
    const lines = () => (existsSync(file) ? readFileSync(file, 'utf8').trim().split('\n').filter(Boolean) : []);
    const step = (i) => `  - run: "echo ${i} >> ${file}; sleep 0.1"`;
    await create(
      engine.url,
      `plan: 1\nname: crash\nsteps:\n${Array.from({ length: STEPS }, (_, i) => step(i)).join('\n')}\n`,
    );
    while (lines().length < 8) await delay(2);
    await delay(50);
    await engine.kill('SIGKILL');
    await delay(500);
    const before = lines().length;
    const began = performance.now();
    const starting = bench.up();
    while (lines().length === before) await delay(2);
    toNext.push((performance.now() - began) / 1_000);
    while (new Set(lines()).size < STEPS) await delay(2);
    toEnd.push((performance.now() - began) / 1_000);
    twice.push(lines().length - STEPS);
    engine = await starting;
  }
  console.log(`restart-to-next-step: ${spread(toNext, 's', 2)}`);
  console.log(`restart-to-end: ${spread(toEnd, 's', 2)}`);
  console.log(`steps run twice: ${twice.join(' ')}`);
} finally {
  await engine.kill('SIGTERM');
  bench.remove();
}
