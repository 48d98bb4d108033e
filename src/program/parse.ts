import type { ProgramAst } from './ast.ts';

/** What came as a program: one, a continuation of something that runs or has more rows, or the text of a plan file. */
export type Parsed =
  | { kind: 'program'; ast: ProgramAst }
  | { kind: 'continuation'; verb: 'wait' | 'cancel' | 'page'; handle: string; project?: string[] }
  | { kind: 'plan'; text: string };

/** Throws PROGRAM_INVALID with all that is wrong, each with its line and column. */
export function parseProgram(_text: string): Parsed {
  throw new Error('not there yet');
}
