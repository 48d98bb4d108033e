import type { Json, JsonObject } from '../../plan/json.ts';
import { describe, quote } from '../plan-file/describe.ts';
import { isJsonObject, type Path } from '../plan-file/plain-json.ts';
import type { Report } from '../plan-file/problems.ts';

/**
 * Says which words of a map are not known, which are known and not supported, and which one was probably meant; gives the
 * supported words that misspelt ones were meant as.
 */
export function checkWords(
  words: JsonObject,
  path: Path,
  known: readonly string[],
  refused: Record<string, string>,
  report: Report,
): string[] {
  const meant: string[] = [];
  for (const word of Object.keys(words)) {
    if (known.includes(word)) continue;
    const at = [...path, word];
    if (Object.hasOwn(refused, word)) {
      report.problem(at, `\`${word}\` ${refused[word]}`, 'key');
      continue;
    }
    const supported = report.nearest(word, known);
    const other = supported === undefined ? report.nearest(word, Object.keys(refused)) : undefined;
    if (supported !== undefined) meant.push(supported);
    const hint =
      supported !== undefined
        ? `; did you mean "${supported}"?`
        : other !== undefined
          ? `; \`${other}\`, if that was meant, ${refused[other]}`
          : `; known here: ${known.join(', ')}`;
    report.problem(at, `unknown word ${quote(word)}${hint}`, 'key');
  }
  return meant;
}

/** Readers of single words: undefined where the word is not there, or is wrong, which is then told. */
export function reader(words: JsonObject, path: Path, report: Report) {
  const wrong = (word: string, rule: string) =>
    report.problem([...path, word], `is ${describe(words[word])}; it has to be ${rule}`);
  return {
    text(word: string): string | undefined {
      const value = words[word];
      if (value === undefined) return undefined;
      if (typeof value === 'string' && value.trim() !== '' && !value.includes('\0')) return value;
      if (value === '' || (typeof value === 'string' && value.trim() === ''))
        report.problem([...path, word], 'is empty; remove it');
      else if (typeof value === 'string') report.problem([...path, word], 'cannot hold the character NUL');
      else wrong(word, 'text');
      return undefined;
    },
    flag(word: string): boolean | undefined {
      const value = words[word];
      if (value === undefined || typeof value === 'boolean') return value;
      wrong(word, 'true or false');
      return undefined;
    },
    whole(word: string, least: number, most: number): number | undefined {
      const value = words[word];
      if (value === undefined) return undefined;
      if (typeof value === 'number' && Number.isInteger(value) && value >= least && value <= most) return value;
      wrong(word, `a whole number from ${least} to ${most}`);
      return undefined;
    },
    /** Seconds, as milliseconds. */
    seconds(word: string): number | undefined {
      const value = words[word];
      if (value === undefined) return undefined;
      if (typeof value === 'number' && value > 0 && value <= MOST_SECONDS) return Math.round(value * 1_000);
      wrong(word, 'a number of seconds, more than 0');
      return undefined;
    },
    map(word: string): JsonObject | undefined {
      const value: Json | undefined = words[word];
      if (value === undefined || isJsonObject(value)) return value;
      wrong(word, 'a map');
      return undefined;
    },
  };
}

/** A timer of the platform cannot be longer. */
const MOST_SECONDS = 2_000_000;
