import type { PlanDefinition, TaskDefinition } from './definition.ts';
import { type Gone, type GoneInside, MOST_NAMED } from './gone.ts';
import type { Snapshot, TaskSnapshot } from './snapshot.ts';
import type { Expected } from './state.ts';
import { upstreamFirst } from './upstream-first.ts';

export type RunMode = 'resume' | 'retry';

/** How the next run is to begin. */
export interface NextRun {
  mode: RunMode;
  /** This task, and all that depends on it, run again though they had ended. */
  from?: string | undefined;
}

/** What the next run does about a task: keeps how it ended, or lets it run. */
export type Decision = { keep: TaskSnapshot } | Runs;
interface Runs {
  because: string;
  /** It had ended before, or had begun as something else. */
  anew?: true;
  /** A map or sub-plan: what it had done is kept. */
  goesOn?: true;
  /** … but for this, which is made again. */
  inside?: GoneInside;
  /** It will end as it had ended before, as far as one knows. */
  expected?: Expected;
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
      ...decideOne({ task, before: snapshot.tasks[task.id], needs, from, ...goneOf(task.id, gone) }),
    };
  }
  return decided.map(({ decision }) => decision);
}

/**
 * How a task will have ended, beside how it had: `kept`: the same; `same`: it makes again what it made before; `open`: nobody
 * knows; `asked`: somebody wants it to run again. Of several, the last counts.
 */
const WAYS = ['kept', 'same', 'open', 'asked'] as const;
type Way = (typeof WAYS)[number];
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
  inside: GoneInside | undefined;
}

function decideOne({ task, before, needs, from, gone, inside }: Question): Omit<Decided, 'id'> {
  const { id, fingerprint, on_failure } = task;
  if (id === from) return runs('it was asked to run again', anewIf(before), 'asked');
  if (!before) return runs('it is new in the plan', {}, 'open');
  const upstream = worst(needs);
  const because = `it needs ${upstream?.id}, which runs again`;
  if (upstream?.way === 'asked') return runs(because, anewIf(before), 'asked');
  const was = before.fingerprint ?? before.settled?.fingerprint ?? before.expected?.fingerprint;
  if (was !== undefined && was !== fingerprint) return runs(CHANGED, anewIf(before), 'open');
  if (before.fingerprint !== undefined) {
    if (upstream?.way === 'open') return runs(because, anewIf(before), 'open');
    if (gone !== undefined) return expects(gone, anewIf(before), 'same');
    return inside ? expects(lost(inside.named), { goesOn: true, inside }, 'same') : kept(before);
  }
  if (before.settled) {
    const { status } = before.settled;
    if (status === 'failed' && on_failure !== 'continue') return runs(NOT_SUCCEEDED, anewIf(before), 'open');
    const had = status === 'failed' ? 'it had failed' : 'it had been skipped by hand';
    return upstream ? runs(`${had}, and ${because}`, anewIf(before), 'open') : kept(before);
  }
  const { begun, expected } = before;
  const goesOn = begun === fingerprint && gone === undefined && upstream?.way !== 'open';
  const more = {
    ...(begun !== undefined && begun !== fingerprint && ANEW),
    ...(goesOn && { goesOn: true as const, ...(inside && { inside }) }),
  };
  if (!expected) return runs(NOT_SUCCEEDED, more, 'open');
  const way = WAYS[Math.max(WAYS.indexOf(expected.way), upstream ? WAYS.indexOf(upstream.way) : 0)]!;
  return expects(expected.skipped ? 'it was skipped; its condition is decided anew' : NOT_SUCCEEDED, more, way);
}

const NOT_SUCCEEDED = 'it had not succeeded';
const CHANGED = 'its definition, its inputs or something it needs has changed';

const kept = (before: TaskSnapshot) => ({ decision: { keep: before }, way: 'kept' as const });
const runs = (because: string, more: Partial<Runs>, way: Way) => ({ decision: { because, ...more }, way });
const expects = (because: string, more: Partial<Runs>, way: Way) =>
  runs(because, way === 'kept' || way === 'same' ? { ...more, expected: way } : more, way);

const ANEW = { anew: true } as const;
/** Whether it had ended, or begun. What its condition had kept from running had not. */
const anewIf = (before: TaskSnapshot | undefined): Partial<Runs> =>
  before?.fingerprint !== undefined || before?.settled || before?.begun !== undefined ? ANEW : {};

/** Of what a task needs, that of which one knows least; undefined when all of it is kept. */
function worst(needs: Decided[]): Decided | undefined {
  let least: Decided | undefined;
  for (const need of needs) if (WAYS.indexOf(need.way) > (least ? WAYS.indexOf(least.way) : 0)) least = need;
  return least;
}

function goneOf(id: string, { files, stored = {}, inside = {} }: Gone): Pick<Question, 'gone' | 'inside'> {
  const named = (list: string[]) => list.slice(0, MOST_NAMED).join(', ');
  const isStored = stored[id] && `what it stored is gone or changed: ${named(stored[id])}`;
  return { gone: files[id] ? lost(files[id]) : isStored, inside: inside[id] };
}

const lost = (files: string[]): string => `files it made are gone or changed: ${files.slice(0, MOST_NAMED).join(', ')}`;
