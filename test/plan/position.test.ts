import { expect, test } from 'vitest';
import type { MapWords } from '../../src/plan/definition.ts';
import type { Json } from '../../src/plan/json.ts';
import { positionOf } from '../../src/plan/position.ts';
import { define, drive } from '../support/rules.ts';

test('the first step that is not done, from 1', () => {
  const it = drive(define({ a: {}, b: { needs: ['a'] }, c: { needs: ['b'] } }));
  expect(positionOf(it.plan)).toEqual({ step: 1, steps: 3 });
  it.succeed('a');
  expect(positionOf(it.plan)).toEqual({ step: 2, steps: 3 });
  it.fail('b');
  expect([it.status(), positionOf(it.plan)]).toEqual(['failed', { step: 2, steps: 3 }]);
});

test('of a plan that is through, the last; handlers do not count', () => {
  const it = drive(define({ a: {}, b: { needs: ['a'] }, end: { handler: 'finally' } }));
  it.succeed('a');
  it.succeed('b');
  it.succeed('end');
  expect([it.status(), positionOf(it.plan)]).toEqual(['completed', { step: 2, steps: 2 }]);
});

/** A map over `n` inputs, one after another, each with a sub-plan of three steps. */
function inputs(n: number) {
  const inner = define({ a: {}, b: { needs: ['a'] }, c: { needs: ['b'] } });
  const item = define({
    each: { kind: 'plan', mode: 'plan', with: { definition: inner, inputs: {}, outputs: {} } as unknown as Json },
  });
  const words: MapWords = {
    in: Array.from({ length: n }, (_, i) => i),
    as: 'item',
    max_parallel: 1,
    fail_fast: true,
    task: item.tasks[0]!,
  };
  const it = drive(define({ each: { kind: 'map', mode: 'map', with: words as unknown as Json } }));
  it.endAside({ ok: [{ from: 0, to: n, items: words.in }] });
  return it;
}

test('inputs worked through one by one: which of them, and which step in it, as what works for it has told', () => {
  const it = inputs(5);
  expect(positionOf(it.plan)).toEqual({ step: 1, steps: 3, iteration: 1, iterations: 5 });
  it.tell('each/0', { status: 'paused', questions: [], position: { step: 2, steps: 3, iteration: 4 } });
  expect(positionOf(it.plan)).toEqual({ step: 2, steps: 3, iteration: 4, iterations: 5 });
});

test('the same after a failure in one of them', () => {
  const it = inputs(5);
  const left = { succeeded: 2, failed: 1, skipped: 0, fatal: true, incomplete: true as const, items: [] };
  it.endChild('each/0', {
    verdict: 'failed',
    batch: { ...left, position: { step: 2, steps: 3, iteration: 3 } },
  });
  expect([it.status(), positionOf(it.plan)]).toEqual(['failed', { step: 2, steps: 3, iteration: 3, iterations: 5 }]);
});
