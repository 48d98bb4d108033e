import { appendFileSync, existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';

const MINUTES = Number(process.env.HOLDPOINT_FUZZ_MINUTES ?? 0);
const BATCH = 500;

interface Hunt {
  /** Which share of the time is its own. */
  share: number;
  /** Cases in the normal test run, from a seed that is always the same and from a new one. */
  runs: number;
}

/**
 * Tests that a property holds for texts: first for those known to be hard, which once broke it or might have, in `corpus/NAME.jsonl`, then for new ones. With
 * HOLDPOINT_FUZZ_MINUTES it looks for so long, and what breaks the property is added to the corpus.
 */
export function hunt(
  name: string,
  texts: fc.Arbitrary<string>,
  holds: (text: string) => void,
  { share, runs }: Hunt,
): void {
  const corpus = join(import.meta.dirname, 'corpus', `${name}.jsonl`);
  const known = existsSync(corpus) ? readFileSync(corpus, 'utf8').split('\n').filter(Boolean) : [];
  const property = fc.property(texts, holds);

  test(`${name}: ${known.length} texts that are known to be hard`, () => {
    for (const line of known) holds(JSON.parse(line) as string);
  });

  if (MINUTES === 0) {
    const fresh = Math.trunc(Math.random() * 2 ** 31);
    test.each([1, fresh])(`${name}: texts from the seed %d`, (seed) => fc.assert(property, { seed, numRuns: runs }));
    return;
  }

  const ms = MINUTES * 60_000 * share;
  test(`${name}: new texts for ${Math.round(ms / 1_000)} s`, { timeout: ms + 600_000 }, () => {
    const broken: string[] = [];
    let cases = 0;
    for (const end = Date.now() + ms; Date.now() < end && broken.length < 20; ) {
      const seed = Math.trunc(Math.random() * 2 ** 31);
      const { failed, counterexample, numRuns, errorInstance } = fc.check(property, { seed, numRuns: BATCH });
      cases += numRuns;
      if (!failed || !counterexample) continue;
      const line = JSON.stringify(counterexample[0]);
      if (known.includes(line)) continue;
      known.push(line);
      appendFileSync(corpus, `${line}\n`);
      broken.push(
        `seed ${seed}: ${line}\n${errorInstance instanceof Error ? errorInstance.message : String(errorInstance)}`,
      );
    }
    console.log(`${name}: ${cases} cases, ${broken.length} broke it`);
    expect(broken).toEqual([]);
  });
}
