import { Fault } from '../faults.ts';

/** Deeper than any plan file or inputs may be. */
const DEEPEST = 40;

/** Keeps what walks through a value from outside from running out of stack; throws REQUEST_INVALID. `what`: "the JSON is". */
export function mustBeShallow(value: unknown, what: string): void {
  if (isDeeper(value, DEEPEST)) throw new Fault('REQUEST_INVALID', `${what} nested deeper than ${DEEPEST} levels`);
}

function isDeeper(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return levels === 0 || Object.values(value).some((item) => isDeeper(item, levels - 1));
}
