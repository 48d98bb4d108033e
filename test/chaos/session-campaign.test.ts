import { setTimeout as delay } from 'node:timers/promises';
import { Client } from '@temporalio/client';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { readEngine } from '../../src/engine/engine-record.ts';
import { connectClient } from '../../src/temporal/connection.ts';
import { newHome } from '../support/engine.ts';
import { readStory } from '../support/promises/read-story.ts';
import { dispatches, type Story, withChildren } from '../support/promises/story.ts';
import { checkStory } from '../support/promises.ts';
import { until } from '../support/world.ts';
import { FULL } from './campaign.ts';
import { moments, SEED } from './kill-campaign/moments.ts';
import { newFigures } from './session-campaign/figures.ts';
import {
  type Home,
  INTERRUPTIONS,
  type InterruptionName,
  interrupt,
  type Started,
} from './session-campaign/interrupt.ts';
import {
  campaignRepository,
  campaignWorkflow,
  type Repository,
  resultOf,
  type Workflow,
} from './session-campaign/workflow.ts';

const NAMES: InterruptionName[] = FULL
  ? (Object.keys(INTERRUPTIONS) as InterruptionName[])
  : ['Ctrl+C', 'kill -9 of all three'];
/** One moment in each sixtieth of a session's life, and each kind of interruption all over it. */
const CASES = moments(FULL ? 60 : 2).map((moment, i) => ({
  ...moment,
  name: NAMES[i % NAMES.length]!,
  seed: SEED,
}));
const ENDS_WITHIN_MS = 90_000;

let home: Home;
let repository: Repository;
let uninterrupted: ReturnType<typeof resultOf>;
const figures = newFigures();

beforeAll(async () => {
  home = newHome();
  repository = campaignRepository();
  const workflow = campaignWorkflow();
  const { code, all, out } = await home.start(['run', workflow.file], {}, repository.path).done;
  if (code !== 0) throw new Error(`the uninterrupted run ended with ${code}: ${all}`);
  uninterrupted = resultOf(repository, (await shown(sessionIn(out)!)).worktree);
  expect(workflow.begun()).toEqual(workflow.marks.tasks);
});
afterAll(async () => {
  if (FULL) console.log(figures.summary(SEED));
  await home.end();
});

test.each(CASES)(
  '$name at moment $moment of seed $seed ($part of it begun, and $later_ms ms later): the result is the same to the byte, and no finished step ran twice',
  async ({ name, part, later_ms }) => {
    const interruption = INTERRUPTIONS[name];
    const workflow = campaignWorkflow();
    const cli = home.start(['run', workflow.file], {}, repository.path);
    const id = await until('there is a session', () => sessionIn(cli.out()), ENDS_WITHIN_MS);
    await until(
      'its moment comes',
      () => workflow.begun().length >= 1 + Math.floor(part * (workflow.total - 1)),
      60_000,
    );
    await delay(later_ms);
    const before = workflow.begun();
    await interrupt(home, cli, interruption);
    const at = Date.now();
    figures.count('interrupted');

    await goesOn(cli, workflow, id, interruption);
    figures.ended(name, Date.now() - at);
    const { status, worktree, plan_id } = await shown(id);
    expect(status).toBe('completed');
    figures.count('completed');
    const story = await storyOf(plan_id, workflow);
    const { tasks, n } = workflow.marks;
    const again = tasks.filter((task) => n(task) > 1);
    const completed = completedIn(story);
    figures.count('finished steps run twice', completed.length - new Set(completed).size);
    figures.count('steps in flight run again', again.length);
    expect(completed).toEqual(tasks);
    expect(inOrder(workflow)).toEqual(tasks);
    // One was in flight: the last that was seen to begin, or the one after it.
    expect(again.length).toBeLessThanOrEqual(1);
    expect(again.filter((task) => tasks.indexOf(task) < before.length - 1)).toEqual([]);
    expect(workflow.overlaps()).toEqual([]);
    expect(checkStory(story)).toEqual([]);
    expect(resultOf(repository, worktree)).toEqual(uninterrupted);
    figures.count('identical');
  },
  240_000,
);

/** Brings it to its end, where it does not come there by itself. */
async function goesOn(
  cli: Started,
  { file }: Workflow,
  id: string,
  { of, ...rest }: (typeof INTERRUPTIONS)[InterruptionName],
) {
  if (!(of as readonly string[]).includes('cli')) {
    expect(await within(cli)).toMatchObject({ code: 0 });
    figures.count('went on by themselves');
  } else {
    const { code, all } = await within(cli);
    if ('exit' in rest && code !== 0)
      expect([code, all]).toEqual([rest.exit, expect.stringContaining(`--resume ${id}`)]);
    const resumed = await within(home.start(['run', file, '--resume', id], {}, repository.path));
    if (resumed.code === 3) figures.count('lost');
    // It may have been at its end.
    const isOver = resumed.code === 5 && resumed.all.includes('it completed');
    if (!isOver) expect(resumed).toMatchObject({ code: 0, out: expect.stringContaining(`Resuming session: ${id}`) });
    figures.count(isOver ? 'over before that' : 'resumed');
  }
}

async function within(cli: Started) {
  const late = delay(ENDS_WITHIN_MS, undefined, { ref: false }).then(() => {
    cli.child.kill('SIGKILL');
    throw new Error(`not within ${ENDS_WITHIN_MS} ms: the command ends; it said: ${cli.all()}`);
  });
  return await Promise.race([cli.done, late]);
}

/** What its histories have as completed, in their order, as often as they have it. */
const completedIn = (story: Story): string[] =>
  withChildren(story)
    .flatMap(dispatches)
    .flatMap(({ task, end }) => (end?.how === 'completed' ? [task] : []));

/** Steps in the order in which they began; what began twice in a row is told once. */
const inOrder = ({ begun }: Workflow): string[] => begun().filter((task, i, all) => task !== all[i - 1]);

const sessionIn = (text: string): string | undefined => /session: (\S+)/.exec(text)?.[1];

interface Shown {
  status: string;
  plan_id: string;
  worktree: { path: string; branch: string };
}

async function shown(id: string): Promise<Shown> {
  const { code, out, all } = await within(home.start(['sessions', 'show', id, '--json']));
  if (code !== 0) throw new Error(all);
  return JSON.parse(out);
}

/** What its histories, its events and its marks tell. */
async function storyOf(planId: string, { marks }: Workflow) {
  const connection = await connectClient({ address: readEngine(home.config)!.temporal! });
  try {
    const client = new Client({ connection });
    return (await readStory({ client, orgId: 'local', planId, witness: marks })).story;
  } finally {
    await connection.close();
  }
}
