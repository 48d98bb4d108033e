import type { PlanEvent } from '../../../src/plan/events.ts';
import type { PlanStatus } from '../../../src/plan/lifecycle.ts';
import type { Outcome } from '../../../src/plan/outcome.ts';
import type { Ending, Fact } from './facts.ts';

/** All that is known of one plan: what Temporal recorded, what the plan tells, and what the world saw. */
export interface Story {
  plan_id: string;
  /** Its Temporal runs in order: Continue-As-New and next runs. */
  runs: Run[];
  /** Its child workflows, each with its own runs; `events` is empty where a child tells none. */
  children: Story[];
  events: PlanEvent[];
  /** The state that the plan shows, and its tasks with theirs. */
  status?: PlanStatus;
  tasks?: { id: string; status: string }[];
  /** What each task needs. */
  needs: Record<string, string[]>;
  witness?: Witness;
  answers: { told: ToldAnswer; kept: Outcome | undefined }[];
  /** Nobody is there to go on with it: it may stand still in any state. */
  faults: boolean;
}

/** One Temporal run. */
export interface Run {
  workflow_id: string;
  run_id: string;
  /** `next`: `plan_resume` or `plan_retry`; `continued`: Continue-As-New. */
  begins: 'first' | 'next' | 'continued';
  facts: Fact[];
  /** Undefined while it is open. */
  ending?: Ending;
  /** Fingerprints of its tasks, where its input shows them. */
  fingerprints?: Record<string, string>;
}

/** Counts what tasks did in the world, outside of Temporal: attempts that began. */
export interface Witness {
  n(task: string): number;
  /** The tasks that leave marks; all, when left out. */
  tasks?: string[];
}

/** What a caller was told about a command. */
export interface ToldAnswer {
  request_id: string;
  result: 'done' | 'accepted' | 'pending' | 'refused';
}

export interface Violation {
  promise: 1 | 2 | 3 | 4 | 5 | 6;
  message: string;
  /** Where to look: a history event, a `seq`, a task. */
  at: string;
}

/** The runs of a plan as its people count them: a next run begins a new one, Continue-As-New does not. */
export function runNumbers({ runs }: Story): number[] {
  let number = 0;
  return runs.map(({ begins }) => (number += begins === 'continued' ? 0 : 1));
}

/** Every dispatch of the plan's own history, with the run it belongs to and how it ended. */
export function dispatches(story: Story) {
  const numbers = runNumbers(story);
  return story.runs.flatMap(({ facts, run_id }, i) => {
    const ended = new Map(facts.flatMap((fact) => (fact.is === 'ended' ? [[fact.of, fact] as const] : [])));
    return facts.flatMap((fact) =>
      fact.is === 'scheduled'
        ? [{ ...fact, run: numbers[i]!, temporalRun: i, end: ended.get(fact.id), where: `${run_id} event ${fact.id}` }]
        : [],
    );
  });
}

/** Events with the run they belong to. */
export function eventsByRun({ events }: Story): (PlanEvent & { run: number })[] {
  // A child that goes on after a failure is another workflow, and begins with its own run.
  let run = events[0]?.type === 'RunStarted' ? 0 : 1;
  return events.map((event) => {
    if (event.type === 'RunStarted') run += 1;
    return { ...event, run };
  });
}

export const withChildren = (story: Story): Story[] => [story, ...story.children.flatMap(withChildren)];
