import type { ChainAst, ProgramAst, StepAst } from './ast.ts';

/** Which steps of a program what uses. Names that stand for nothing are left to whoever compiles. */
export interface Uses {
  /** How often what is returned reads the rows of a step, whether itself or by steps between; names for names are seen through. */
  times(step: StepAst): number;
  /** What no other step and no return names, in the order of the text. */
  unused: string[];
}

export function usesIn({ steps, returns }: ProgramAst): Uses {
  // The first step of a name has it; a second one is told when the program is compiled.
  const byName = new Map<string, StepAst>();
  for (const step of steps) if (!byName.has(step.name.text)) byName.set(step.name.text, step);

  const named = new Set<string>();
  for (const { name, chain } of steps) if (readBy(chain) !== name.text) named.add(readBy(chain));
  for (const chain of returns) named.add(readBy(chain));

  const times = new Map<StepAst, number>();
  const open = [...returns];
  // Of a program that goes round in circles, which is told later, nothing is visited twice.
  for (let chain = open.pop(); chain; chain = open.pop()) {
    const step = byName.get(readBy(chain));
    if (!step) continue;
    const count = times.get(step) ?? 0;
    times.set(step, count + 1);
    if (count === 0 || isOtherName(step)) if (count < MOST_TIMES) open.push(step.chain);
  }
  return {
    times: (step) => times.get(step) ?? 0,
    unused: steps.filter(({ name }) => !named.has(name.text)).map(({ name }) => name.text),
  };
}

/** More than once is all that matters. */
const MOST_TIMES = 2;

export const isOtherName = ({ chain }: StepAst): boolean => chain.ops.length === 0 && chain.head.kind === 'name';

const readBy = ({ head }: ChainAst): string => head.name.text;
