import type { Word } from './ast.ts';
import type { FieldType } from './catalog.ts';
import type { FieldType as ComparedAs } from './dag.ts';
import { quote, type Report } from './problems.ts';

/** The fields that rows have at some point of a program. */
export interface Shape {
  fields: ReadonlyMap<string, FieldType>;
  /** What the rows are, in words; and what left fields out, if anything did. */
  rows: string;
  narrowed?: string;
}

/** The type of a field; one that is not there is told. */
export function fieldOf(word: Word, shape: Shape, report: Report): FieldType | undefined {
  const type = shape.fields.get(word.text);
  if (type === undefined)
    report.problem(
      word,
      `${shape.rows} have no field ${quote(word.text)}${shape.narrowed ? ` after ${shape.narrowed}` : ''}${report.meant(word.text, [...shape.fields.keys()])}`,
    );
  return type;
}

export const isNumeric = (type: FieldType): boolean => type === 'integer' || type === 'number';
export const isOrdered = (type: FieldType): boolean => type !== 'json' && type !== 'boolean';

/** How values of a type are compared, where that is more than JSON tells. */
export const comparedAs = (type: FieldType): { type?: ComparedAs } =>
  isNumeric(type) ? { type: 'number' } : type === 'date' ? { type: 'date' } : {};
