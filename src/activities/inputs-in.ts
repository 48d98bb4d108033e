import type { IterateWords } from '../plan/definition.ts';
import { ExpressionError } from '../plan/expression.ts';
import type { Json } from '../plan/json.ts';

/** A plan that iterates over more would take for ever, and its history with it. */
const MOST_INPUTS = 100_000;

/** What a plan works one after another, of what its `over` gave. Nothing to do is a failure: a plan that did nothing is no success. */
export function inputsIn(given: Json, { lines, max = Number.POSITIVE_INFINITY, none }: IterateWords): Json[] {
  const all = lines && typeof given === 'string' ? given.split(/\r?\n/).filter((line) => line.trim() !== '') : given;
  if (!Array.isArray(all)) {
    const shown = JSON.stringify(all);
    const cut = shown.length > 100 ? `${shown.slice(0, 100)}…` : shown;
    throw new ExpressionError(`\`over\` gives ${cut}, not a list; name a list, such as an input of type array`);
  }
  if (all.length === 0) throw new ExpressionError(`no inputs found: ${none}`);
  const inputs = all.slice(0, max);
  if (inputs.length > MOST_INPUTS)
    throw new ExpressionError(
      `\`over\` gives ${inputs.length} inputs, and more than ${MOST_INPUTS} cannot be worked; say \`max\`, or give fewer`,
    );
  return inputs;
}
