import { Fault, type FaultCode, type Problem } from '../../faults.ts';
import { type Misplaced, MOST_TOLD, type PlanDocument } from './document.ts';
import { nearestNames } from './nearest.ts';
import type { Path } from './plain-json.ts';

/** What a check is given to say what is wrong. */
export interface Report {
  /**
   * `at`: whether the key is wrong, or its value (the default), or some words within its text. What is not in the file
   * is shown where it should be: at the key of the nearest part around it.
   */
  problem(path: Path, message: string, at?: 'key' | 'value' | { within: string }): void;
  /** What is wrong with the value that was given for an input, or with its name: it stands nowhere in the file. */
  given(input: string, message: string): void;
  /** `; did you mean "x"?`, or nothing when no known name is near. */
  didYouMean(word: string, known: readonly string[]): string;
  nearest(word: string, known: readonly string[]): string | undefined;
}

const LONGEST_MESSAGE = 500;

/** Collects what is wrong with a document; `raise` throws it all at once, in the order of the text; so does one problem too many. */
export function collectProblems(document: PlanDocument, code: FaultCode = 'PLAN_INVALID'): Report & { raise(): void } {
  const faults: Misplaced[] = [...document.faults];
  const given: Problem[] = [];
  const withoutKeys = new Set(document.faults.map(({ path }) => JSON.stringify(path)));
  const unreadable = new Set(document.faults.map(({ path, offset }) => `${offset} ${path.length}`));
  const nearest = nearestNames();
  const raise = () => {
    const placedOnes = faults.sort((a, b) => a.offset - b.offset).map((fault) => placed(document, fault));
    if (given.length + placedOnes.length > 0) throw invalid(code, [...given, ...placedOnes]);
  };
  return {
    problem(path, message, at = 'value') {
      if (at === 'key' && document.faults.length > 0 && withoutKeys.has(JSON.stringify(path))) return;
      const offset = offsetOf(document, path, at);
      // What could not be read stands as null: that it is empty is no second fault.
      if (unreadable.has(`${offset} ${path.length}`)) return;
      if (faults.push({ message, path, offset }) > MOST_TOLD) raise();
    },
    given: (input, message) => void given.push({ message: shortened(message), path: ['inputs', input] }),
    nearest,
    didYouMean(word, known) {
      const meant = nearest(word, known);
      return meant === undefined ? '' : `; did you mean "${meant}"?`;
    },
    raise,
  };
}

function offsetOf(
  { content, places, text }: PlanDocument,
  path: Path,
  at: 'key' | 'value' | { within: string },
): number {
  let value: unknown = content;
  let place = { key: 0, value: 0, end: text.length };
  for (const step of path) {
    const next = typeof value === 'object' && value !== null ? places.get(value)?.get(step) : undefined;
    if (!next) return place.key;
    place = next;
    value = (value as Record<string | number, unknown>)[step];
  }
  if (typeof at === 'string') return place[at];
  const found = text.slice(place.value, place.end).indexOf(at.within);
  return place.value + Math.max(0, found);
}

function placed({ lines }: PlanDocument, { message, path, offset }: Misplaced): Problem {
  const { line, col } = lines.linePos(offset);
  return { message: shortened(message), path, line, column: col };
}

const shortened = (message: string): string =>
  message.length > LONGEST_MESSAGE ? `${message.slice(0, LONGEST_MESSAGE)}…` : message;

function invalid(code: FaultCode, all: Problem[]): Fault {
  const { line, column, path, message } = all[0]!;
  const where = [...(line === undefined ? [] : [`line ${line}, column ${column}`]), path.join('.')].filter(Boolean);
  const first = `${where.join(', ')}: ${message}`;
  const count = all.length > MOST_TOLD ? `more than ${MOST_TOLD}` : all.length;
  const text = all.length === 1 ? first : `${count} problems; the first: ${first}`;
  return new Fault(code, text, { errors: all.slice(0, MOST_TOLD) });
}
