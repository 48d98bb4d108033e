import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { beginNextRun } from '../../src/plan/begin.ts';
import type { PlanDefinition } from '../../src/plan/definition.ts';
import { withFingerprints } from '../../src/plan/fingerprint.ts';
import type { Gone } from '../../src/plan/gone.ts';
import { decide } from '../../src/plan/reuse.ts';
import { type Snapshot, snapshotOf } from '../../src/plan/snapshot.ts';
import { define, drive } from '../support/rules.ts';

interface Sketch {
  needs: number[];
  text: number;
  optional: boolean;
  skipped: boolean;
  fails: boolean;
}
const sketch = (i: number): fc.Arbitrary<Sketch> =>
  fc.record({
    needs: i === 0 ? fc.constant([]) : fc.uniqueArray(fc.nat(i - 1), { maxLength: 3 }),
    text: fc.nat(2),
    optional: fc.boolean(),
    skipped: fc.integer({ min: 0, max: 5 }).map((n) => n === 0),
    fails: fc.integer({ min: 0, max: 3 }).map((n) => n === 0),
  });
const graphs = fc.integer({ min: 1, max: 9 }).chain((n) => fc.tuple(...Array.from({ length: n }, (_, i) => sketch(i))));

/** Those that need a skipped task run all the same, by a condition of their own: then anything may stand upstream of them. */
function definitionOf(sketches: readonly Sketch[]): PlanDefinition {
  const named = Object.fromEntries(
    sketches.map(({ needs, text, optional, skipped }, i) => [
      `t${i}`,
      {
        needs: needs.map((need) => `t${need}`),
        with: text,
        if: skipped ? 'false' : 'true',
        on_failure: optional ? ('continue' as const) : ('fail' as const),
      },
    ]),
  );
  const definition = define(named);
  const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');
  const context = { sha256, kindVersion: () => 1, inputsOf: () => ({}), env: {} };
  return { ...definition, tasks: withFingerprints(definition.tasks, context) };
}

/** Plays a plan until it ends, or for so many steps and then stops it; gives what it leaves. */
function play(sketches: readonly Sketch[], steps: number): Snapshot {
  const it = drive(definitionOf(sketches));
  for (let k = 0; k < Math.min(steps, it.started.length) && it.status() === 'executing'; k++) {
    const id = it.started[k]!;
    sketches[Number(id.slice(1))]!.fails ? it.fail(id) : it.succeed(id, { n: 1 });
  }
  if (it.status() === 'executing') it.command('stop');
  for (const id of it.started) it.cancel(id);
  return snapshotOf(it.plan, 'run');
}

const cases = fc.record({
  sketches: graphs,
  steps: fc.nat(12),
  /** What is changed in the file, by task. */
  edits: fc.array(fc.tuple(fc.nat(8), fc.constantFrom('text', 'optional', 'renamed')), { maxLength: 2 }),
  gone: fc.uniqueArray(fc.nat(8), { maxLength: 2 }),
  from: fc.option(fc.nat(8), { nil: undefined }),
});

type Case = typeof cases extends fc.Arbitrary<infer T> ? T : never;

function nextOf({ sketches, edits, gone, from }: Case) {
  const after = sketches.map((sketch) => ({ ...sketch }));
  const renamed = new Set<number>();
  for (const [i, what] of edits) {
    const task = after[i];
    if (!task) continue;
    if (what === 'text') task.text += 10;
    else if (what === 'optional') task.optional = !task.optional;
    else renamed.add(i);
  }
  const made = definitionOf(after);
  const tasks = made.tasks.map((task, i) => (renamed.has(i) ? { ...task, id: `new${i}` } : task));
  const files = Object.fromEntries(gone.map((i) => [`t${i}`, ['out.txt']]));
  const start = from === undefined || !tasks[from] ? undefined : tasks[from].id;
  return { definition: { ...made, tasks }, gone: { files } satisfies Gone, from: start };
}

const keptBy = (decisions: ReturnType<typeof decide>): boolean[] => decisions.map((decision) => 'keep' in decision);

/** The definition of reuse, said in another way: task by task, by what has to hold of all that it needs. */
function mustKeep(definition: PlanDefinition, { tasks }: Snapshot, gone: Gone, from: string | undefined): boolean[] {
  const { tasks: list } = definition;
  const asked = (i: number): boolean => list[i]!.id === from || list[i]!.needs.some(asked);
  const was = (i: number) => tasks[list[i]!.id];
  const isGone = (i: number) => list[i]!.id in gone.files;
  const skippedAsBefore = (i: number) => {
    const expected = was(i)?.expected;
    return expected?.skipped === true && expected.fingerprint === list[i]!.fingerprint;
  };
  /** It ends as it had. */
  const steady = (i: number): boolean => kept(i) || (!asked(i) && skippedAsBefore(i) && list[i]!.needs.every(steady));
  /** It ends as it had, or makes again what it had made. */
  const likely = (i: number): boolean => {
    const succeeded = was(i)?.fingerprint === list[i]!.fingerprint;
    return steady(i) || (!asked(i) && (succeeded || skippedAsBefore(i)) && list[i]!.needs.every(likely));
  };
  const kept = (i: number): boolean => {
    const [task, before] = [list[i]!, was(i)];
    if (asked(i) || !before) return false;
    if (before.fingerprint !== undefined)
      return before.fingerprint === task.fingerprint && !isGone(i) && task.needs.every(likely);
    if (before.settled?.fingerprint !== task.fingerprint) return false;
    return (before.settled.status === 'skipped' || task.on_failure === 'continue') && task.needs.every(steady);
  };
  return list.map((_, i) => kept(i));
}

test('what is kept is exactly what the definition of reuse says', () => {
  fc.assert(
    fc.property(cases, (given) => {
      const snapshot = play(given.sketches, given.steps);
      const { definition, gone, from } = nextOf(given);
      const kept = keptBy(decide(definition, snapshot, { mode: 'resume', from }, gone));
      expect(kept).toEqual(mustKeep(definition, snapshot, gone, from));
    }),
    { numRuns: 500 },
  );
});

test('nothing downstream of a change is kept, nor of what was asked for', () => {
  fc.assert(
    fc.property(cases, (given) => {
      const before = definitionOf(given.sketches);
      const { definition, gone, from } = nextOf(given);
      const kept = keptBy(decide(definition, play(given.sketches, given.steps), { mode: 'resume', from }, gone));
      const changed = (i: number): boolean => {
        const { id, fingerprint, needs } = definition.tasks[i]!;
        return (
          id === from ||
          before.tasks[i]!.id !== id ||
          before.tasks[i]!.fingerprint !== fingerprint ||
          needs.some(changed)
        );
      };
      expect(kept.filter((isKept, i) => isKept && changed(i))).toEqual([]);
    }),
    { numRuns: 200 },
  );
});

test('a next run that is stopped at once leaves what it began with: the one after it keeps the same', () => {
  fc.assert(
    fc.property(cases, (given) => {
      const snapshot = play(given.sketches, given.steps);
      const { definition, gone, from } = nextOf(given);
      const input = { plan_id: 'p', path: '', inputs: {}, principal: { name: 'Ada' }, review: false, definition };
      const first = keptBy(decide(definition, snapshot, { mode: 'resume', from }, gone));
      const next = beginNextRun(input, snapshot, { mode: 'resume', from }, 1, { gone });
      const again = keptBy(decide(definition, snapshotOf(next, 'run'), { mode: 'resume' }));
      expect(again).toEqual(first);
    }),
    { numRuns: 200 },
  );
});

test('without a change nothing that succeeded runs again', () => {
  fc.assert(
    fc.property(graphs, fc.nat(12), (sketches, steps) => {
      const snapshot = play(sketches, steps);
      const kept = keptBy(decide(definitionOf(sketches), snapshot, { mode: 'resume' }));
      expect(sketches.filter((_, i) => !kept[i] && snapshot.tasks[`t${i}`]!.fingerprint)).toEqual([]);
    }),
    { numRuns: 200 },
  );
});

test('ten thousand tasks in a chain are decided at once', () => {
  const sketches = Array.from({ length: 10_000 }, (_, i) => ({
    needs: i ? [i - 1] : [],
    text: 0,
    optional: false,
    skipped: false,
    fails: i === 9_000,
  }));
  const kept = keptBy(decide(definitionOf(sketches), play(sketches, 20_000), { mode: 'resume' }));
  expect(kept.filter(Boolean)).toHaveLength(9_000);
});
