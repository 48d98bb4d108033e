import type { AggregateAst, OpAst, Place, Word } from './ast.ts';
import type { FieldType } from './catalog.ts';
import { type Around, refused, shapeOf } from './compile-chain.ts';
import type { Aggregate, RowOp } from './dag.ts';
import { effectOnRows, forEach } from './effects.ts';
import { type Flow, put } from './flow.ts';
import { predicatesOf } from './predicates.ts';
import { quote, type Report } from './problems.ts';
import { comparedAs, fieldOf, isNumeric, type Shape } from './shape.ts';

type Of<Does extends OpAst['does']> = Extract<OpAst, { does: Does }>;
type Apply<Does extends OpAst['does']> = (flow: Flow, op: Of<Does>, around: Around) => Flow | undefined;

/** What each step does to rows. */
const APPLY: { [Does in OpAst['does']]: Apply<Does> } = {
  filter: (flow, { predicates }, { report }) => put(flow, { filter: predicatesOf(predicates, flow.shape, report) }),
  limit: (flow, { n }) => put(flow, { limit: n }),
  page_size: (flow, { n, line, column }) => ({ ...flow, page_size: { n, at: { line, column } } }),
  singleton: (flow) => put(flow, { singleton: true }),
  project,
  map,
  sort,
  group_by: groupBy,
  relation,
  reverse,
  effect: (flow, effect, around) => effectOnRows(flow, effect, around),
  for_each: (flow, { effect }, around) => forEach(flow, effect, around),
};

export function applyOp<Op extends OpAst>(flow: Flow, op: Op, around: Around): Flow | undefined {
  if (flow.ended === undefined) return (APPLY[op.does] as Apply<Op['does']>)(flow, op as never, around);
  around.report.problem(op, `nothing may follow ${flow.ended}`);
  return undefined;
}

function project(flow: Flow, { fields }: Of<'project'>, { report, catalog }: Around): Flow {
  const shape = narrowed(flow.shape, fields, `[${fields.map(({ text }) => text).join(', ')}]`, report);
  // Without its key a row is none of the entity any more.
  const key = flow.entity === undefined ? undefined : catalog.entities[flow.entity]!.key;
  const entity = fields.some(({ text }) => text === key) ? flow.entity : undefined;
  return { ...put(flow, { project: fields.map(({ text }) => text) }), shape, entity };
}

function narrowed(shape: Shape, fields: readonly Word[], narrowed: string, report: Report): Shape {
  const left = fields.map((field) => [field.text, fieldOf(field, shape, report) ?? 'json'] as const);
  return {
    fields: new Map(left),
    rows: shape.rows,
    narrowed: narrowed.length > 60 ? `${narrowed.slice(0, 60)}…` : narrowed,
  };
}

function map(flow: Flow, { fields }: Of<'map'>, { report }: Around): Flow {
  const made = new Map<string, FieldType>();
  for (const { name, path } of fields) {
    const [field, part] = path;
    const type = fieldOf(field!, flow.shape, report);
    if (part && type !== undefined && type !== 'json')
      report.problem(part, `${field!.text} is ${type}, and has no parts; only json has some`);
    mustBeName(name, report);
    made.set(name.text, part ? 'json' : (type ?? 'json'));
  }
  const op: RowOp = { map: fields.map(({ name, path }) => ({ name: name.text, path: path.map(({ text }) => text) })) };
  return { ...put(flow, op), shape: { fields: made, rows: 'the rows of this map' }, entity: undefined };
}

/** Names that would reach into an object's prototype. */
const FORBIDDEN = ['__proto__', 'constructor', 'prototype'];
function mustBeName(name: Word, report: Report): void {
  if (FORBIDDEN.includes(name.text))
    report.problem(name, `${quote(name.text)} cannot name a field; choose another name`);
}

function sort(flow: Flow, { keys }: Of<'sort'>, { report }: Around): Flow {
  const by = keys.map(({ field, desc }) => {
    const type = fieldOf(field, flow.shape, report);
    if (type === 'json') report.problem(field, `${field.text} is JSON, which has no order`);
    return { field: field.text, desc, ...(type && comparedAs(type)) };
  });
  return put(flow, { sort: by });
}

function groupBy(flow: Flow, { by, aggregate }: Of<'group_by'>, { report }: Around): Flow {
  const fields = new Map<string, FieldType>();
  for (const field of by) {
    const type = fieldOf(field, flow.shape, report);
    if (type === 'json') report.problem(field, `${field.text} is JSON, by which rows cannot be grouped`);
    fields.set(field.text, type ?? 'json');
  }
  const aggregates = aggregate.map((one): Aggregate => {
    const type = typeOf(one, flow.shape, report);
    mustBeName(one.name, report);
    fields.set(one.name.text, type);
    const of = one.field && { field: one.field.text, ...comparedAs(flow.shape.fields.get(one.field.text) ?? 'json') };
    return { name: one.name.text, does: one.does, ...of };
  });
  const op: RowOp = { group_by: by.map(({ text }) => text), aggregate: aggregates };
  return { ...put(flow, op), shape: { fields, rows: 'the rows of these groups' }, entity: undefined };
}

function typeOf({ does, field }: AggregateAst, shape: Shape, report: Report): FieldType {
  if (!field) return 'integer';
  const type = fieldOf(field, shape, report) ?? 'number';
  const sums = does === 'sum' || does === 'avg';
  if (sums && !isNumeric(type)) report.problem(field, `${does} takes a number, and ${field.text} is ${type}`);
  else if (type === 'json' || (!sums && type === 'boolean'))
    report.problem(field, `${does} takes what has an order, and ${field.text} is ${type}`);
  return does === 'avg' ? 'number' : type;
}

function relation(flow: Flow, { name }: Of<'relation'>, around: Around): Flow | undefined {
  const { catalog, report } = around;
  const entity = flow.entity === undefined ? undefined : catalog.entities[flow.entity];
  const relations = entity?.relations ?? {};
  if (Object.hasOwn(relations, name.text))
    return related(flow, `${flow.entity}.${name.text}`, { at: name, to: relations[name.text]!.to }, around);
  const field = flow.shape.fields.has(name.text);
  report.problem(
    name,
    field
      ? `${name.text} is a field; fields are chosen in brackets: [${name.text}]`
      : `${flow.shape.rows} have no relation ${quote(name.text)}${flow.shape.narrowed ? ` after ${flow.shape.narrowed}` : ''}${report.meant(name.text, Object.keys(relations))}`,
  );
  return undefined;
}

function reverse(flow: Flow, { entity: other, predicates }: Of<'reverse'>, around: Around): Flow | undefined {
  const { catalog, report } = around;
  const there = Object.hasOwn(catalog.entities, other.text) ? catalog.entities[other.text] : undefined;
  const to = Object.values(there?.relations ?? {}).some((one) => one.to === flow.entity);
  if (!there)
    report.problem(
      other,
      `there is no entity ${quote(other.text)}${report.meant(other.text, Object.keys(catalog.entities))}`,
    );
  else if (flow.entity === undefined || !to)
    report.problem(other, `${other.text} has no relation to ${flow.entity ?? 'these rows'}`);
  else {
    const found = related(flow, `${flow.entity}.^${other.text}`, { at: other, to: other.text }, around);
    return predicates.length > 0 ? put(found, { filter: predicatesOf(predicates, found.shape, report) }) : found;
  }
  return undefined;
}

function related(flow: Flow, text: string, { at, to }: { at: Place; to: string }, { catalog }: Around): Flow {
  return {
    draft: { node: refused('relation', text), from: [flow.draft], label: flow.draft.label, at },
    shape: shapeOf(to, catalog.entities[to]!),
    entity: to,
    shared: false,
    page_size: flow.page_size,
  };
}
