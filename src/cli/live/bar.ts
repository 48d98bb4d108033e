import type { Colors } from 'picocolors/types.js';
import type { Signs } from './signs.ts';

/** How much of something is done, `columns` wide: full only when all is. */
export function bar(done: number, total: number, columns: number, signs: Signs, colours: Colors): string {
  const share = total > 0 ? Math.min(1, done / total) : 0;
  const full = Math.floor(share * columns);
  return colours.green(signs.full.repeat(full)) + colours.dim(signs.empty.repeat(Math.max(0, columns - full)));
}
