import { replayProblem, replayProblemWithoutCache } from '../replay.ts';
import type { RunHistory } from './read-story.ts';
import { type Story, type Violation, withChildren } from './story.ts';

const broken = (message: string, at: string): Violation => ({ promise: 6, message, at });

/** 6. New code replays old histories: no workflow task got stuck, and every history replays, without the worker's cache too. */
export async function replayable(bundle: string, histories: RunHistory[]): Promise<Violation[]> {
  const violations: Violation[] = [];
  for (const { workflow_id, run_id, events } of histories) {
    const whole = await replayProblem(bundle, { events }, workflow_id);
    const problem = whole ?? (await replayProblemWithoutCache(bundle, { events }, workflow_id));
    if (problem !== undefined) violations.push(broken(problem, `${workflow_id} ${run_id}`));
  }
  return violations;
}

export function neverStuck(story: Story): Violation[] {
  return withChildren(story).flatMap(({ runs }) =>
    runs.flatMap(({ facts, run_id }) =>
      facts.flatMap((fact) =>
        fact.is === 'stuck'
          ? [broken(`the workflow code failed at a workflow task: ${fact.message}`, `${run_id} event ${fact.id}`)]
          : [],
      ),
    ),
  );
}
