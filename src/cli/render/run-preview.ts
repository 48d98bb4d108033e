import type { Colors } from 'picocolors/types.js';
import type { RunPreview } from '../../service/next-run.ts';
import { renderTable } from './table.ts';
import { count, oneLine } from './text.ts';

/** What a plan's next run would do: which tasks run, which are kept, and why. */
export function runPreviewLines({ plan_id, run, reuse, reasons }: RunPreview, colours: Colors): string[] {
  const rows = (ids: string[], word: string) =>
    ids.map((id) => [id, word, oneLine(reasons[id] ?? '')] satisfies [string, string, string]);
  const all = [...rows(run, colours.yellow('runs')), ...rows(reuse, colours.green('reused'))];
  return [
    `plan ${plan_id}: ${count(run.length, 'task')} would run, ${reuse.length} would be reused; nothing was started`,
    ...(all.length > 0 ? renderTable(['TASK', 'NEXT RUN', 'WHY'], all) : []),
  ];
}
