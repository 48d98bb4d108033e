import { type ChainAst, EFFECTS, type Effect, type OpAst, type Word } from './ast.ts';
import type { RawArg, RawChain, RawItem, RawOp } from './grammar.ts';
import type { Report } from './problems.ts';
import { groupOf } from './read-aggregate.ts';
import { mustDiffer, placeOf, USAGE, usageOf } from './step-words.ts';

/** What steps there are, and what reads each: undefined when what it is given is told to be wrong. */
const STEPS: Record<string, { call?: ReadCall; block?: ReadBlock }> = {
  filter: { block: (items, op, report) => filterOf(items, op, report) },
  project: {
    block: (items, op, report) => projectOf(fieldsIn(items, report), items.length, op, report),
  },
  sort: { call: sortOf, block: sortOfBlock },
  limit: { call: (args, op, report) => wholeOf('limit', args, op, report) },
  page_size: { call: (args, op, report) => wholeOf('page_size', args, op, report) },
  singleton: {
    call: (args, op, report) => noneIn(args, op, report) && { does: 'singleton', ...placeOf(op) },
  },
  aggregate: { call: groupOf },
  group_by: { call: groupOf },
  get: {},
  create: { call: effectOf },
  update: { call: effectOf },
  delete: { call: effectOf },
};
type Named<Form extends RawOp['form']> = Extract<RawOp, { form: Form }>;
type ReadCall = (args: RawArg[], op: Named<'call'>, report: Report) => OpAst | undefined | false;
type ReadBlock = (items: RawItem[], op: Named<'block'>, report: Report) => OpAst | undefined;

/** How many rows can be asked for by a number; more is no number that anybody means. */
const MOST_ROWS = 1_000_000_000;

/** Makes of steps as they are written what they do; tells all that cannot be. */
export function readChain(raw: RawChain, report: Report): ChainAst {
  let { head } = raw;
  const ops: OpAst[] = [];
  for (const [i, op] of raw.ops.entries()) {
    if (op.form === 'call' && op.name.text === 'get') {
      const [key] = op.args;
      const fits = i === 0 && head.kind === 'name';
      if (!fits) report.problem(op, `.get(id) stands right behind the name of an entity: Entity.get(id)`);
      else if (op.args.length !== 1 || key?.form !== 'value')
        report.problem(op, usageOf('get', 'takes one value, the key'));
      else head = { kind: 'get', name: head.name, key: key.value };
      continue;
    }
    const relation = op.form === 'block' && isRelation(op.name.text, report);
    if (relation) ops.push({ does: 'relation', name: op.name, ...placeOf(op) });
    const read = relation ? filterOf(op.items, op, report) : readOp(op, report);
    if (read) ops.push(read);
  }
  return { head, ops, line: raw.line, column: raw.column };
}

/** A name with comparisons behind it, and no slip in the name of a step. */
const isRelation = (name: string, report: Report): boolean =>
  !Object.hasOwn(STEPS, name) && report.nearest(name, Object.keys(STEPS)) === undefined;

function readOp(op: RawOp, report: Report): OpAst | undefined {
  switch (op.form) {
    case 'braces':
      return filterOf(op.items, op, report);
    case 'brackets':
      return projectOf(op.fields, op.fields.length, op, report);
    case 'reverse':
      return { does: 'reverse', entity: op.name, predicates: predicatesIn(op.items, report), ...placeOf(op) };
    case 'map':
      return mapOf(op, report);
    case 'for_each':
      return { does: 'for_each', effect: readChain(op.chain, report), ...placeOf(op) };
    case 'word':
      if (!Object.hasOwn(STEPS, op.name.text)) return { does: 'relation', name: op.name, ...placeOf(op) };
      report.problem(op, `.${op.name.text} is written ${USAGE[op.name.text]}`);
      return undefined;
    case 'call':
    case 'block':
      return namedStep(op, report);
  }
}

function namedStep(op: Named<'call'> | Named<'block'>, report: Report): OpAst | undefined {
  const name = op.name.text;
  const step = Object.hasOwn(STEPS, name) ? STEPS[name]! : undefined;
  if (!step) report.problem(op.name, `there is no step .${name}${report.meant(name, Object.keys(STEPS))}`);
  else if (op.form === 'call' && step.call) return step.call(op.args, op, report) || undefined;
  else if (op.form === 'block' && step.block) return step.block(op.items, op, report);
  else report.problem(op, `.${name} is written ${USAGE[name]}`);
  return undefined;
}

function filterOf(items: RawItem[], at: RawOp, report: Report): OpAst | undefined {
  if (items.length === 0) report.problem(at, 'a filter has one comparison at least, such as {field >= 1}');
  const predicates = predicatesIn(items, report);
  return predicates.length > 0 ? { does: 'filter', predicates, ...placeOf(at) } : undefined;
}

function predicatesIn(items: RawItem[], report: Report) {
  return items.flatMap((item) => {
    if (item.form === 'predicate') return [{ field: item.field, op: item.op, value: item.value }];
    report.problem(
      item,
      `a filter has comparisons, such as ${item.field.text} = 1; fields alone stand in brackets: [${item.field.text}]`,
    );
    return [];
  });
}

function fieldsIn(items: RawItem[], report: Report): Word[] {
  return items.flatMap((item) => {
    if (item.form === 'field' && !item.desc) return [item.field];
    report.problem(item, '.project has names of fields alone; a comparison stands in .filter{…}');
    return [];
  });
}

function projectOf(fields: Word[], given: number, at: RawOp, report: Report): OpAst | undefined {
  if (given === 0) report.problem(at, 'a projection names one field at least, such as [name]');
  mustDiffer(fields, report);
  return fields.length > 0 ? { does: 'project', fields, ...placeOf(at) } : undefined;
}

function mapOf(op: Named<'map'>, report: Report): OpAst | undefined {
  mustDiffer(
    op.fields.map(({ name }) => name),
    report,
  );
  const fields = op.fields.flatMap(({ name, value }) => {
    if (value.kind === 'ref' && value.base === '_') return [{ name, path: value.path }];
    report.problem(value, `a map takes fields of the row, which is _: ${name.text}: _.field`);
    return [];
  });
  return { does: 'map', fields, ...placeOf(op) };
}

function wholeOf(does: 'limit' | 'page_size', args: RawArg[], op: Named<'call'>, report: Report): OpAst | undefined {
  const [given] = args;
  const n = given?.form === 'value' && given.value.kind === 'number' ? Number(given.value.text) : Number.NaN;
  if (args.length === 1 && Number.isInteger(n) && n >= 1 && n <= MOST_ROWS) return { does, n, ...placeOf(op) };
  report.problem(given ?? op, usageOf(does, 'takes one whole number, 1 or more'));
  return undefined;
}

function noneIn(args: RawArg[], op: Named<'call'>, report: Report): boolean {
  if (args.length > 0) report.problem(args[0]!, usageOf(op.name.text, 'takes nothing'));
  return args.length === 0;
}

/** `.sort(a, desc, b)` or `.sort(-a, b)`. */
function sortOf(args: RawArg[], op: Named<'call'>, report: Report): OpAst | undefined {
  const keys: { field: Word; desc: boolean }[] = [];
  let undirected: { desc: boolean } | undefined;
  for (const arg of args) {
    const word = arg.form === 'value' && arg.value.kind === 'word' ? arg.value : undefined;
    const direction = word && undirected && (word.text === 'asc' || word.text === 'desc') ? word.text : undefined;
    if (direction) undirected!.desc = direction === 'desc';
    else if (arg.form === 'desc') keys.push({ field: arg.field, desc: true });
    else if (word) keys.push({ field: { text: word.text, ...placeOf(word) }, desc: false });
    else report.problem(arg, usageOf('sort', 'takes a field, and asc or desc behind it'));
    undirected = word && !direction ? keys.at(-1) : undefined;
  }
  return sortBy(keys, args.length, op, report);
}

function sortOfBlock(items: RawItem[], op: Named<'block'>, report: Report): OpAst | undefined {
  const keys = items.flatMap((item) => {
    if (item.form === 'field') return [{ field: item.field, desc: item.desc }];
    report.problem(item, 'a sort has names of fields, with a - before those that go down: .sort{-field}');
    return [];
  });
  return sortBy(keys, items.length, op, report);
}

function sortBy(keys: { field: Word; desc: boolean }[], given: number, op: RawOp, report: Report): OpAst | undefined {
  if (given === 0) report.problem(op, usageOf('sort', 'names one field at least'));
  mustDiffer(
    keys.map(({ field }) => field),
    report,
  );
  return keys.length > 0 ? { does: 'sort', keys, ...placeOf(op) } : undefined;
}

function effectOf(args: RawArg[], op: Named<'call'>, report: Report): OpAst | undefined {
  const what = EFFECTS.find((one) => one === op.name.text) as Effect;
  if (what === 'delete' && !noneIn(args, op, report)) return undefined;
  if (what !== 'delete' && args.length === 0) report.problem(op, usageOf(what, 'sets one field at least'));
  const values = args.flatMap((arg) => {
    if (arg.form === 'named' && 'kind' in arg.value) return [{ field: arg.name, value: arg.value }];
    report.problem(arg, usageOf(what, 'takes fields with their values'));
    return [];
  });
  mustDiffer(
    values.map(({ field }) => field),
    report,
  );
  return { does: 'effect', what, values, ...placeOf(op) };
}
