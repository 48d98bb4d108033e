import type { Colors } from 'picocolors/types.js';
import { formatDuration } from '../../plan/duration.ts';
import type { Ending } from '../follow-plan.ts';
import { coloured } from './colours.ts';
import { count, oneLine } from './text.ts';

/** How a run of a plan ended, in one line. */
export const endingLine = (ending: Ending, colours: Colors): string =>
  coloured(ending.state.status, colours, inWords(ending));

function inWords({ state, error, totals, took_ms }: Ending): string {
  const why = error && `${error.task ? `task ${error.task}: ` : ''}${oneLine(error.message)}`;
  const took = `in ${formatDuration(took_ms)}`;
  if (state.status === 'failed') return `failed: ${why}`;
  if (state.status === 'stopped')
    return why ? `stopped: ${why}` : `stopped with ${count(totals.succeeded, 'task')} done ${took}`;
  return `completed ${completed(totals)} ${took}`;
}

function completed({ succeeded, skipped, failed }: Ending['totals']): string {
  const asides = [skipped > 0 && `${skipped} skipped`, failed > 0 && `${failed} failed and not needed`].filter(Boolean);
  const aside = asides.length > 0 ? ` (${asides.join(', ')})` : '';
  return `${count(succeeded + skipped + failed, 'task')}${aside}`;
}
