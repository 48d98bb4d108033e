import fc from 'fast-check';
import { expect, test } from 'vitest';
import { define, drive } from '../support/rules.ts';

/** A task as the reference sees it, and how it will behave. */
interface Sketch {
  needs: number[];
  on_failure: 'fail' | 'continue';
  /** Its condition: none, true, false, or that its first need failed. */
  when: 'always' | 'false' | 'need_failed';
  /** How many attempts fail before one succeeds, and how many it has. */
  failures: number;
  attempts: number;
}

const sketches = fc
  .array(
    fc.record({
      needs: fc.array(fc.nat(11), { maxLength: 3 }),
      on_failure: fc.constantFrom('fail' as const, 'continue' as const),
      when: fc.constantFrom('always' as const, 'always' as const, 'false' as const, 'need_failed' as const),
      failures: fc.nat(3),
      attempts: fc.integer({ min: 1, max: 3 }),
    }),
    { minLength: 1, maxLength: 12 },
  )
  .map((tasks) =>
    tasks.map((task, i): Sketch => ({ ...task, needs: [...new Set(task.needs.filter((need) => need < i))] })),
  );
/** What happens next: one of the running attempts ends, or somebody pauses or resumes. */
const moves = fc.array(fc.record({ pick: fc.nat(100), command: fc.constantFrom('', '', '', 'pause', 'resume') }), {
  maxLength: 80,
});

type Status = 'pending' | 'running' | 'backing_off' | 'succeeded' | 'failed' | 'skipped' | 'cancelled';
const ENDED = ['succeeded', 'failed', 'skipped', 'cancelled'];

/** The rules once more, by looking at everything at every step; slow and plain. */
function reference(tasks: Sketch[], slots: number) {
  const status: Status[] = tasks.map(() => 'pending');
  const tries = tasks.map(() => 0);
  /** Tasks that may start, in the order in which they came to. */
  const queue: number[] = [];
  let paused = false;
  const running = () => status.filter((one) => one === 'running').length;
  const failed = () => tasks.some((task, i) => status[i] === 'failed' && task.on_failure === 'fail');
  /** Tasks that wait for their next attempt; the delay is nothing, so they wait only while paused. */
  const backing: number[] = [];
  /** Tasks of which all that they need has ended, in the order in which that came to be. */
  let candidates = tasks.flatMap(({ needs }, i) => (needs.length === 0 ? [i] : []));
  const end = (i: number, how: Status) => {
    status[i] = how;
    tasks.forEach(({ needs }, k) => {
      if (needs.includes(i) && needs.every((need) => ENDED.includes(status[need]!))) candidates.push(k);
    });
  };
  const settle = () => {
    if (!paused)
      for (const i of backing.splice(0)) {
        status[i] = 'pending';
        queue.unshift(i);
      }
    while (candidates.length > 0 && !failed() && !paused) {
      const round = candidates;
      candidates = [];
      for (const i of round) {
        const { needs, when } = tasks[i]!;
        const skipped = needs.some((need) => status[need] === 'skipped');
        const go =
          when === 'always' ? !skipped : when === 'need_failed' && needs.length > 0 && status[needs[0]!] === 'failed';
        if (go) queue.push(i);
        else end(i, 'skipped');
      }
    }
    while (!failed() && !paused && queue.length > 0 && running() < slots) {
      const i = queue.shift()!;
      status[i] = 'running';
      tries[i]! += 1;
    }
  };
  return {
    status,
    failed,
    running: () => status.flatMap((one, i) => (one === 'running' ? [i] : [])),
    settle,
    end,
    backOff: (i: number) => {
      status[i] = 'backing_off';
      backing.push(i);
    },
    tries,
    pause: (on: boolean) => {
      paused = on;
    },
    verdict: () => {
      if (running() > 0) return undefined;
      const all = status.every((one) => ENDED.includes(one));
      if (failed()) return all || !paused ? 'failed' : undefined;
      return all ? 'completed' : undefined;
    },
  };
}

const CONDITIONS = {
  always: () => undefined,
  false: () => 'false',
  need_failed: (needs: number[]) => (needs.length > 0 ? `tasks.t${needs[0]}.status == 'failed'` : 'false'),
};

test('whatever the graph, its failures and the order of things, the rules do what the reference does', () => {
  fc.assert(
    fc.property(sketches, fc.integer({ min: 1, max: 4 }), moves, (tasks, slots, list) => {
      const it = drive(
        define(
          Object.fromEntries(
            tasks.map(({ needs, on_failure, when, attempts }, i) => [
              `t${i}`,
              {
                needs: needs.map((need) => `t${need}`),
                on_failure,
                if: CONDITIONS[when](needs),
                retry: { max_attempts: attempts, delay_ms: 0, backoff: 1, max_delay_ms: 0 },
              },
            ]),
          ),
          { max_parallel: slots },
        ),
      );
      const model = reference(tasks, slots);
      model.settle();
      const same = () => {
        const present = model.verdict();
        const seen = it.plan.state.tasks.map(({ status }) => status);
        // What had not ended when the plan did is cancelled.
        const wanted = model.status.map((one) => (present === 'failed' && !ENDED.includes(one) ? 'cancelled' : one));
        expect(seen).toEqual(wanted);
        if (present) expect(it.status()).toBe(present);
        return present !== undefined;
      };
      const toTheEnd = tasks.flatMap(() => Array.from({ length: 4 }, () => ({ pick: 0, command: '' })));
      for (const { pick, command } of [...list, { pick: 0, command: 'resume' }, ...toTheEnd]) {
        if (same()) return;
        if (command !== '') {
          if (it.command(command as 'pause' | 'resume').result !== 'refused') model.pause(command === 'pause');
          model.settle();
          continue;
        }
        const running = model.running();
        if (running.length === 0) continue;
        const i = running[pick % running.length]!;
        const { failures, attempts } = tasks[i]!;
        if (model.tries[i]! > failures) {
          model.end(i, 'succeeded');
          it.succeed(`t${i}`);
        } else {
          if (model.tries[i]! < attempts && !model.failed()) model.backOff(i);
          else model.end(i, 'failed');
          it.fail(`t${i}`);
        }
        model.settle();
      }
      expect(same()).toBe(true);
    }),
    { numRuns: 1_500 },
  );
});
