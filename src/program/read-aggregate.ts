import { AGGREGATES, type AggregateAst, type OpAst, type Word } from './ast.ts';
import type { RawArg, RawOp } from './grammar.ts';
import { quote, type Report } from './problems.ts';
import { mustDiffer, placeOf, usageOf } from './step-words.ts';

/** `.group_by(f, n=count)`; without fields, of all rows together: `.aggregate(n=count)`. */
export function groupOf(args: RawArg[], op: Extract<RawOp, { form: 'call' }>, report: Report): OpAst | undefined {
  const grouped = op.name.text === 'group_by';
  const by: Word[] = [];
  const aggregate: AggregateAst[] = [];
  for (const arg of args) {
    if (grouped && arg.form === 'value' && arg.value.kind === 'word')
      by.push({ text: arg.value.text, ...placeOf(arg.value) });
    else {
      const found = aggregateOf(arg, op.name.text, report);
      if (found) aggregate.push(found);
    }
  }
  if (grouped && by.length === 0) report.problem(op, usageOf('group_by', 'names one field at least'));
  if (!grouped && args.length === 0) report.problem(op, usageOf('aggregate', 'computes one value at least'));
  mustDiffer([...by, ...aggregate.map(({ name }) => name)], report);
  return { does: 'group_by', by, aggregate, ...placeOf(op) };
}

function aggregateOf(arg: RawArg, step: string, report: Report): AggregateAst | undefined {
  const given =
    arg.form === 'named' ? arg.value : arg.form === 'value' ? arg.value : arg.form === 'function' ? arg : undefined;
  const call = given && 'form' in given ? given : undefined;
  const bare = given && 'kind' in given && given.kind === 'word' ? { text: given.text, ...placeOf(given) } : undefined;
  const does = call?.name ?? bare;
  if (!does) {
    report.problem(arg, usageOf(step, `computes ${AGGREGATES.join(', ')}`));
    return undefined;
  }
  const known = AGGREGATES.find((one) => one === does.text);
  if (!known) {
    report.problem(does, `there is no ${quote(does.text)} of rows${report.meant(does.text, AGGREGATES)}`);
    return undefined;
  }
  const field = call?.field;
  if (known === 'count' && field) report.problem(field, 'count counts rows, and takes no field: n=count');
  else if (known !== 'count' && !field) report.problem(does, `${known} takes a field: ${known}(field)`);
  else {
    const name = arg.form === 'named' ? arg.name : { ...does, text: field ? `${known}_${field.text}` : known };
    return { name, does: known, ...(field && { field }) };
  }
  return undefined;
}
