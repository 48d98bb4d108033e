import { canonical } from '../plan/fingerprint.ts';
import type { Json } from '../plan/json.ts';
import type { Comparison, PredicateAst, ValueAst } from './ast.ts';
import type { FieldType } from './catalog.ts';
import type { Predicate } from './dag.ts';
import type { Report } from './problems.ts';
import { comparedAs, fieldOf, isOrdered, type Shape } from './shape.ts';
import { typedValue } from './values.ts';

/** Checked against what the rows have, in an order of its own: all have to hold, in whatever order they were written. */
export function predicatesOf(given: readonly PredicateAst[], shape: Shape, report: Report): Predicate[] {
  return inOrder(given.flatMap((one) => predicateOf(one, shape, report) ?? []));
}

export function inOrder(predicates: readonly Predicate[]): Predicate[] {
  const byText = new Map(predicates.map((one) => [canonical([one.field, one.op, one.value]), one]));
  return [...byText].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, one]) => one);
}

function predicateOf({ field, op, value }: PredicateAst, shape: Shape, report: Report): Predicate | undefined {
  const type = fieldOf(field, shape, report);
  if (type === undefined) return undefined;
  const name = field.text;
  const wrong = (message: string) => void report.problem(field, message);
  const equality = op === '=' || op === '!=';
  if (!equality && !COMPARES[op](type))
    return wrong(
      `${name} is ${NOUN[type]}, which is compared with = and !=${isOrdered(type) ? ' or by its order' : ''} alone`,
    );
  if (isNull(value) && !equality) return wrong('null is compared with = and != alone');
  const read = (one: ValueAst) => (isNull(one) ? null : typedValue(one, type, name, report));
  const compared = comparedAs(type);
  if (value.kind !== 'list' || !equality) {
    const one = read(value);
    return one === undefined ? undefined : { field: name, op, value: one, ...compared };
  }
  if (value.items.length === 0) return wrong(`the list of values for ${name} is empty`);
  const some = value.items.map(read);
  if (some.includes(undefined)) return undefined;
  const values = [...new Map((some as Json[]).map((one) => [canonical(one), one]))]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([, one]) => one);
  return { field: name, op, value: values.length === 1 ? values[0]! : values, ...compared };
}

const isNull = (value: ValueAst): boolean => value.kind === 'word' && value.text === 'null';

const COMPARES: Record<Exclude<Comparison, '=' | '!='>, (type: FieldType) => boolean> = {
  '>': isOrdered,
  '<': isOrdered,
  '>=': isOrdered,
  '<=': isOrdered,
  '~': (type) => type === 'string',
};

const NOUN: Record<FieldType, string> = {
  string: 'text',
  integer: 'a number',
  number: 'a number',
  boolean: 'true or false',
  date: 'a date',
  json: 'JSON',
};
