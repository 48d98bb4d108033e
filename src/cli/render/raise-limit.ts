import { LIMIT_FIELD } from '../../plan/limit-fields.ts';
import type { LimitName } from '../../plan/limits.ts';
import type { Cli } from '../cli.ts';

/** A limit that is in the way. */
export interface Over {
  limit: LimitName;
  unit: 'tokens' | 'cost';
  /** What it is now. */
  max: number;
  /** What it has to be for the call that it refused. */
  needs: number;
}

/** The exact command that raises it; undefined where none does. */
export function raiseCommand({ limit, ...over }: Over, { self }: Pick<Cli, 'self'>): string | undefined {
  const field = LIMIT_FIELD[limit];
  return field && `${self} limits --${field.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)} ${raised(over)}`;
}

/** The same for a plan's budget: with it, the plan goes on. */
export const raiseBudgetCommand = (over: Over, planId: string, { self }: Pick<Cli, 'self'>): string =>
  `${self} resume ${planId} --max-${over.unit} ${raised(over)}`;

/** Twice as much, or what the next call needs where that is more: there are calls after it. */
function raised({ unit, max, needs }: Omit<Over, 'limit'>): string {
  const least = Math.max(2 * max, needs, unit === 'tokens' ? 1 : 1e-9);
  const step = 10 ** (Math.floor(Math.log10(least)) - 1);
  const rounded = Number((Math.ceil(least / step - 1e-6) * step).toPrecision(3));
  // Without an exponent, which no option takes; money is counted in billionths.
  return (unit === 'tokens' ? Math.ceil(rounded) : rounded).toFixed(9).replace(/\.?0+$/, '');
}
