import { Fault, type FaultCode, type Problem } from '../faults.ts';
import { nearestNames } from '../service/plan-file/nearest.ts';
import type { Place } from './ast.ts';

/** What a check is given to say what is wrong. */
export interface Report {
  problem(place: Place, message: string): void;
  /** `; did you mean "x"?`, or what there is. */
  meant(word: string, known: readonly string[]): string;
  nearest(word: string, known: readonly string[]): string | undefined;
}

const MOST_TOLD = 50;
const LONGEST_MESSAGE = 500;
const MOST_NAMED = 12;

/** Collects what is wrong with a program; `raise` throws it all at once, in the order of the text. */
export function collectProblems(code: FaultCode = 'PROGRAM_INVALID'): Report & { raise(): void } {
  const problems: Problem[] = [];
  const nearest = nearestNames();
  return {
    problem({ line, column }, message) {
      const told = message.length > LONGEST_MESSAGE ? `${message.slice(0, LONGEST_MESSAGE)}…` : message;
      problems.push({ message: told.replace(/\p{Surrogate}/gu, '?'), path: [], line, column });
    },
    meant(word, known) {
      const name = nearest(word, known);
      if (name !== undefined) return `; did you mean "${name}"?`;
      if (known.length === 0) return '';
      const more = known.length > MOST_NAMED ? `, and ${known.length - MOST_NAMED} more` : '';
      return `; there is ${known.slice(0, MOST_NAMED).join(', ')}${more}`;
    },
    nearest,
    raise() {
      const inOrder = problems.sort((a, b) => a.line! - b.line! || a.column! - b.column!);
      const [first] = inOrder;
      if (!first) return;
      const told = `line ${first.line}, column ${first.column}: ${first.message}`;
      const detail = problems.length === 1 ? told : `${problems.length} problems; the first: ${told}`;
      throw new Fault(code, detail, { errors: inOrder.slice(0, MOST_TOLD) });
    },
  };
}

/** A word of the program within a message. */
export const quote = (text: string): string => JSON.stringify(text.length > 60 ? `${text.slice(0, 60)}…` : text);
