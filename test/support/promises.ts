import { inject } from 'vitest';
import { commands } from './promises/commands.ts';
import { existence } from './promises/existence.ts';
import { numbering } from './promises/numbering.ts';
import { once } from './promises/once.ts';
import { order } from './promises/order.ts';
import { type PlanToCheck, readStory } from './promises/read-story.ts';
import { neverStuck, replayable } from './promises/replayable.ts';
import type { Story, Violation } from './promises/story.ts';

export type { PlanToCheck, Violation };

/**
 * Whether a plan kept the six promises (`docs/guarantees.md`), judged from its histories, its events and an outside
 * witness; gives every breach, so an empty list when all were kept. A worker must be there to answer queries.
 */
export async function checkPromises(plan: PlanToCheck): Promise<Violation[]> {
  const { story, histories } = await readStory(plan);
  return [...checkStory(story), ...(await replayable(inject('bundle'), histories))];
}

/** All that can be judged without replaying. */
export const checkStory = (story: Story): Violation[] =>
  [existence, order, once, commands, numbering, neverStuck].flatMap((check) => check(story));
