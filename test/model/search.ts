import { type Command, type Model, type Told, take, taskEnds } from './model.ts';

export interface Answered {
  command: Command;
  told: Told;
}

/**
 * Every way in which a round of simultaneous commands can have been taken, one after the other, so that each client was
 * told what it was told; gives the models that may hold after it. None at all: no order explains the answers.
 */
export function explain(before: Model[], round: Answered[]): Model[] {
  const seen = new Set<string>();
  const after = new Map<string, Model>();
  const visit = (model: Model, left: number) => {
    const key = `${left} ${JSON.stringify(model)}`;
    if (seen.has(key)) return;
    seen.add(key);
    if (left === 0) after.set(key, model);
    const ended = taskEnds(model);
    if (ended) visit(ended, left);
    round.forEach(({ command, told }, i) => {
      if ((left & (1 << i)) === 0) return;
      const taken = take(model, command);
      if (taken.told.includes(told)) visit(taken.model, left & ~(1 << i));
    });
  };
  for (const model of before) visit(model, (1 << round.length) - 1);
  return [...after.values()];
}
