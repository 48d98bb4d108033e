import type { Colors } from 'picocolors/types.js';
import { formatDuration } from '../../plan/duration.ts';
import type { Ending } from '../follow-plan.ts';
import { coloured } from './colours.ts';
import { count, oneLine } from './text.ts';

/** How a run of a plan ended, in one line. */
export function endingLine({ state, error, totals, took_ms }: Ending, colours: Colors): string {
  const { status } = state;
  const took = ` in ${formatDuration(took_ms)}`;
  if (status === 'failed')
    return coloured(
      status,
      colours,
      `failed: ${error?.task ? `task ${error.task}: ` : ''}${oneLine(error?.message ?? '')}`,
    );
  if (status === 'stopped')
    return coloured(
      status,
      colours,
      error ? `stopped: ${oneLine(error.message)}` : `stopped with ${count(totals.succeeded, 'task')} done${took}`,
    );
  const { succeeded, skipped, failed } = totals;
  const besides = [skipped > 0 && `${skipped} skipped`, failed > 0 && `${failed} failed and not needed`].filter(
    Boolean,
  );
  const aside = besides.length > 0 ? ` (${besides.join(', ')})` : '';
  return coloured(status, colours, `completed ${count(succeeded + skipped + failed, 'task')}${aside}${took}`);
}
