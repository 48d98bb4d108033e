import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { newHome } from '../support/engine.ts';
import { begin, type Command } from './model.ts';
import { type Played, play } from './play.ts';
import { type Answered, explain } from './search.ts';
import { type LifecycleStory, story } from './story.ts';

/** Failing stories are kept here, and played first from then on. */
const KEPT = join(import.meta.dirname, 'kept');
const RUNS = Number(process.env.HOLDPOINT_MODEL_RUNS ?? 30);
const SEED = Number(process.env.HOLDPOINT_MODEL_SEED ?? Date.now() % 2 ** 31);
/** So many plans are played at once on one engine; one kill hits them all. */
const AT_ONCE = 10;

let home: ReturnType<typeof newHome>;
let engine: Promise<Awaited<ReturnType<typeof home.up>>>;
beforeAll(async () => {
  home = newHome();
  engine = home.up();
  await engine;
});
afterAll(() => home.end());

const where = async () => (await engine).url;

async function killAndRestart(): Promise<void> {
  const killed = await engine;
  engine = killed.kill().then(() => home.up());
  await engine;
}

const keptStories = (): LifecycleStory[] => {
  mkdirSync(KEPT, { recursive: true });
  return readdirSync(KEPT)
    .filter((name) => name.endsWith('.json'))
    .map((name) => JSON.parse(readFileSync(join(KEPT, name), 'utf8')));
};

test(`some order of the accepted commands explains every answer, the end and the timeline (${RUNS} runs, seed ${SEED})`, async () => {
  const stories = [...keptStories(), ...fc.sample(story, { numRuns: RUNS, seed: SEED })];
  const kills = fc.sample(fc.option(fc.integer({ min: 0, max: 1_500 }), { freq: 2 }), { numRuns: RUNS, seed: SEED });
  const faults: Played[] = [];
  for (let from = 0; from < stories.length; from += AT_ONCE) {
    const kill = kills[from / AT_ONCE];
    const playing = Promise.all(stories.slice(from, from + AT_ONCE).map((one) => play(one, where, kill != null)));
    if (kill != null) await delay(kill).then(killAndRestart);
    faults.push(...(await playing).filter(({ fault }) => fault !== undefined));
  }
  for (const { story: one, plan_id } of faults)
    writeFileSync(join(KEPT, `${plan_id.slice(0, 8)}.json`), `${JSON.stringify(one, null, 2)}\n`);
  expect(faults.map(inWords).join('\n\n')).toBe('');
}, 1_200_000);

test.each<[string, Answered[][]]>([
  ['two pauses of which both are accepted', [[p('pause', 202), p('pause', 202)]]],
  ['a resume that is accepted where nothing was paused', [[p('resume', 204)]]],
  ['a plan that goes on after a stop', [[p('stop', 204)], [p('read', 'awaiting_input')]]],
  ['a reader who is shown a pause before it', [[p('read', 'paused')], [p('pause', 202)]]],
])('the search refuses %s: the test above can fail', (_, rounds) => {
  expect(rounds.reduce((models, round) => explain(models, round), [begin(false)])).toEqual([]);
});

function p(name: 'pause' | 'resume' | 'stop' | 'read', told: number | string): Answered {
  return { command: { name }, told };
}

const inWords = ({ story: { review }, plan_id, fault, rounds }: Played): string =>
  [
    `plan ${plan_id}${review ? ', in review' : ''}: ${fault}`,
    ...rounds.map(
      (round, i) => `  ${i + 1}. ${round.map(({ command, told }) => `${named(command)} → ${told}`).join(' | ')}`,
    ),
  ].join('\n');

const named = (command: Command): string =>
  command.name === 'answer' ? `${command.question} ${command.choice}` : command.name;
