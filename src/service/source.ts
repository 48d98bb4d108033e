import { createHash } from 'node:crypto';
import { type Packed, pack } from '../contract/packed.ts';

/** As JSON in the plan's history, where it goes along from run to run. */
const LONGEST_BYTES = 32 * 1_024;

/** A plan file's text as it is kept with its plan: unless it is long, for it must never be what makes a plan too large. */
export function sourceOf(text: string): { source?: Packed<{ text: string }> } {
  const source = pack({ text });
  return JSON.stringify(source).length <= LONGEST_BYTES ? { source } : {};
}

/** By which a file is known to have been edited. */
export const hashOfFile = (text: string): string => createHash('sha256').update(text).digest('hex');
