import type { Diagnostic } from '@codemirror/lint';
import type { Text } from '@codemirror/state';
import type { TextProblem } from './editor.tsx';

/** Where a line and column are; the nearest place there is, for the text may have changed since. */
export function placeOf(doc: Text, line: number, column: number): number {
  const { from, to } = doc.line(Math.min(Math.max(1, line), doc.lines));
  return Math.min(from + Math.max(0, column - 1), to);
}

/** Marks for what has a place: from there to the end of the word, or of the line where there is none. */
export function diagnosticsOf(doc: Text, problems: readonly TextProblem[]): Diagnostic[] {
  return problems
    .flatMap(({ message, line, column = 1, severity = 'error' }): Diagnostic[] => {
      if (line === undefined) return [];
      const at = placeOf(doc, line, column);
      const rest = doc.sliceString(at, doc.lineAt(at).to);
      const length = /^[\w$./-]+/.exec(rest)?.[0].length ?? rest.trimEnd().length;
      // What is at the end of a line is marked at the character before it: an empty mark is not seen.
      const from = length === 0 ? Math.max(doc.lineAt(at).from, at - 1) : at;
      return [{ from, to: at + length, severity, message }];
    })
    .sort((a, b) => a.from - b.from);
}
