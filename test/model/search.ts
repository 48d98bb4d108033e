import { type Command, type Model, starts, type Told, take, taskEnds, taskIsLost } from './model.ts';

export interface Answered {
  command: Command;
  told: Told;
}

/**
 * Every way in which a round of simultaneous commands can have been taken, one after the other, so that each client was
 * told what it was told; gives the models that may hold after it. None at all: no order explains the answers. `killed`: what ran
 * may have been lost.
 */
export function explain(before: Model[], round: Answered[], killed = false): Model[] {
  const seen = new Set<string>();
  const after = new Map<string, Model>();
  const visit = (model: Model, left: number) => {
    const key = `${left} ${JSON.stringify(model)}`;
    if (seen.has(key)) return;
    seen.add(key);
    if (left === 0) after.set(key, model);
    for (const moved of [starts(model), taskEnds(model), killed ? taskIsLost(model) : undefined])
      if (moved) visit(moved, left);
    round.forEach(({ command, told }, i) => {
      if ((left & (1 << i)) === 0) return;
      const taken = take(model, command);
      if (taken.told.includes(told)) visit(taken.model, left & ~(1 << i));
    });
  };
  for (const model of before) visit(model, (1 << round.length) - 1);
  return [...after.values()];
}
