import type { Compiled } from './compile.ts';
import type { Review } from './review.ts';

/** The dry run as text for people and agents (document 2); `handle` is its commit token. */
export function dryRunText(_compiled: Compiled, _review: Review, _handle?: string): string {
  throw new Error('not there yet');
}
