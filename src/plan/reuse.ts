import type { PlanDefinition, TaskDefinition } from './definition.ts';
import type { Snapshot, TaskSnapshot } from './snapshot.ts';
import { upstreamFirst } from './upstream-first.ts';

export type RunMode = 'resume' | 'retry';

/** How the next run is to begin. */
export interface NextRun {
  mode: RunMode;
  /** This task, and all that depends on it, run again though they had ended. */
  from?: string | undefined;
}

/** By task: what it had made and is no longer there, or is not what it was. */
export interface Gone {
  /** Declared files. */
  files: Record<string, string[]>;
  /** Outputs in the artifact store. */
  stored?: Record<string, string[]>;
}

/** What the next run does about a task: keeps how it ended, or lets it run. */
export type Decision = { keep: TaskSnapshot } | Runs;
interface Runs {
  because: string;
  /** It had ended before, or had begun as something else. */
  anew?: true;
  /** A map or sub-plan: what it had done is kept. */
  goesOn?: true;
}

/**
 * The definition of reuse; the same function previews a next run and performs it. A task that succeeded is kept while its
 * fingerprint holds (so that nothing it depends on was changed), what it made is there, and nothing it depends on may end
 * otherwise than before. A failure that the plan was to go on after, and what somebody decided to skip, are kept while
 * besides all that they depend on is kept. Conditions are decided anew.
 */
export function decide(
  { tasks }: PlanDefinition,
  snapshot: Snapshot,
  { mode, from }: NextRun,
  gone: Gone = { files: {} },
): Decision[] {
  if (mode === 'retry') return tasks.map(() => ({ because: 'the plan is retried from nothing' }));
  const decided = new Array<Decided>(tasks.length);
  // Older snapshots do not tell what was skipped from what had not begun.
  const looksUpstream = snapshot.rules === 2 || from !== undefined;
  for (const i of upstreamFirst(tasks)) {
    const task = tasks[i]!;
    const needs = looksUpstream ? task.needs.map((need) => decided[need]!) : [];
    decided[i] = {
      id: task.id,
      ...decideOne({ task, before: snapshot.tasks[task.id], needs, from, gone: goneOf(task.id, gone) }),
    };
  }
  return decided.map(({ decision }) => decision);
}

/**
 * How a task will have ended, beside how it had: `kept`: the same; `same`: it runs, to make again what it made before; `open`:
 * nobody knows; `asked`: somebody wants it to run again.
 */
type Way = 'kept' | 'same' | 'open' | 'asked';
interface Decided {
  id: string;
  decision: Decision;
  way: Way;
}

interface Question {
  task: TaskDefinition;
  before: TaskSnapshot | undefined;
  needs: Decided[];
  from: string | undefined;
  gone: string | undefined;
}

function decideOne({ task, before, needs, from, gone }: Question): Omit<Decided, 'id'> {
  const of = (...ways: Way[]) => needs.find(({ way }) => ways.includes(way));
  const [asked, open, moved] = [of('asked'), of('asked', 'open'), of('asked', 'open', 'same')];
  const runs = (because: string, more: Partial<Runs> = {}, way: Way = 'open') => ({
    decision: { because, ...more },
    way,
  });
  const anew = { anew: true } as const;
  const had = before !== undefined && endedAs(before) !== undefined;

  if (task.id === from) return runs('it was asked to run again', had ? anew : {}, 'asked');
  if (asked && before) return runs(`it needs ${asked.id}, which runs again`, had ? anew : {}, 'asked');
  if (!before) return runs('it is new in the plan');
  const { fingerprint } = task;
  if (had && endedAs(before) !== fingerprint) return runs(CHANGED, anew);
  if (before.skipped !== undefined)
    return runs('it was skipped; its condition is decided anew', {}, moved ? moved.way : 'kept');
  if (before.settled) {
    const { status } = before.settled;
    if (status === 'failed' && task.on_failure !== 'continue') return runs(NOT_SUCCEEDED, anew);
    return moved ? runs(`it had ${ENDED[status]}, and ${moved.id}, which it needs, runs again`, anew) : kept(before);
  }
  if (before.fingerprint !== undefined) {
    if (open) return runs(`it needs ${open.id}, which runs again`, anew);
    return gone === undefined ? kept(before) : runs(gone, anew, 'same');
  }
  if (before.begun === undefined) return runs(NOT_SUCCEEDED);
  if (before.begun !== fingerprint) return runs(NOT_SUCCEEDED, anew);
  return runs(NOT_SUCCEEDED, open || gone !== undefined ? {} : { goesOn: true });
}

const NOT_SUCCEEDED = 'it had not succeeded';
const CHANGED = 'its definition, its inputs or something it needs has changed';
const ENDED = { failed: 'failed', skipped: 'been skipped by hand' } as const;

const kept = (before: TaskSnapshot) => ({ decision: { keep: before }, way: 'kept' as const });

/** What a task was when it ended; undefined when it had not. */
const endedAs = ({ fingerprint, settled, skipped }: TaskSnapshot): string | undefined =>
  fingerprint ?? settled?.fingerprint ?? skipped;

const MOST_NAMED = 5;

function goneOf(id: string, { files, stored = {} }: Gone): string | undefined {
  const named = (list: string[]) => list.slice(0, MOST_NAMED).join(', ');
  if (files[id]) return `files it made are gone or changed: ${named(files[id])}`;
  return stored[id] && `what it stored is gone or changed: ${named(stored[id])}`;
}
