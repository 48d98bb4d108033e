import type { Colors } from 'picocolors/types.js';
import type { OperationDetails } from '../../service/execute/operations.ts';
import { bar } from '../live/bar.ts';
import { spanInWords } from '../live/elapsed.ts';
import type { Signs } from '../live/signs.ts';
import { oneLine } from './text.ts';

interface Look {
  now: number;
  begun: number;
  signs: Signs;
  colours: Colors;
}

const BAR = 12;
const SPIN_MS = 200;

/** An operation at work in one row: which step, how many rows, for how long. */
export function operationRow(
  handle: string,
  details: Pick<OperationDetails, 'op' | 'accepted_at'> | undefined,
  { now, begun, signs, colours }: Look,
): string {
  const { s = '', l = '', r = 0 } = details?.op ?? {};
  const [step = 0, total = 0] = s.split('/').map(Number);
  const since = details ? Math.min(begun, Date.parse(details.accepted_at)) : begun;
  const spinner = signs.spinner[Math.floor(now / SPIN_MS) % signs.spinner.length]!;
  const parts = [
    colours.cyan(spinner),
    colours.bold(handle),
    ...(total > 0 ? [bar(step - 1, total, BAR, signs, colours), `${step}/${total}`] : []),
    ...(l === '' ? [] : [oneLine(l, 40)]),
    ...(r > 0 ? [`${r.toLocaleString('en')} rows`] : []),
    colours.dim(spanInWords(now - since)),
    colours.dim('Ctrl+C leaves it running'),
  ];
  return parts.join('  ');
}
