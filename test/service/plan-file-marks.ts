import { expect, test } from 'vitest';
import { Fault, type Problem } from '../../src/faults.ts';
import type { JsonObject } from '../../src/plan/json.ts';
import { readPlanFile } from '../../src/service/plan-file.ts';

/** Everything said against a file; empty when it is good. */
export function problemsOf(text: string, inputs: JsonObject = {}): readonly Problem[] {
  try {
    readPlanFile(text, { inputs });
    return [];
  } catch (error) {
    if (error instanceof Fault && error.code === 'PLAN_INVALID') return error.errors!;
    throw error;
  }
}

/**
 * One test per case: a file with `¦` before each place that is wrong, and what is said of each, in order. One mark may
 * stand for several messages.
 */
export function checkCases(cases: [file: string, ...messages: string[]][]): void {
  for (const [marked, ...messages] of cases)
    test(messages.join('; '), () => {
      const { text, places } = unmark(marked);
      const problems = problemsOf(text);
      expect(problems.map(({ message }) => message)).toEqual(messages);
      const expected = places.length === 1 ? messages.map(() => places[0]) : places;
      expect(problems.map(({ line, column }) => `${line}:${column}`)).toEqual(expected);
    });
}

function unmark(marked: string): { text: string; places: string[] } {
  const pieces = marked.split('¦');
  const places = pieces.slice(1).map((_, i) => {
    const before = pieces
      .slice(0, i + 1)
      .join('')
      .replace('\uFEFF', '')
      .split('\n');
    return `${before.length}:${before.at(-1)!.length + 1}`;
  });
  return { text: pieces.join(''), places };
}
