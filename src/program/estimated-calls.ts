import type { ReadNode } from './dag.ts';

/** Requests to the sources; `most` is null when nothing bounds them. */
export interface EstimatedCalls {
  least: number;
  most: number | null;
}

/** What a program asks its sources, at least and at worst, before it is run. */
export function estimatedCalls(reads: readonly ReadNode[]): EstimatedCalls {
  const each = reads.map(mostOf);
  const most = each.includes(null) ? null : (each as number[]).reduce((sum, n) => sum + n, 0);
  return { least: reads.length, most };
}

function mostOf({ source, ops, page_size }: ReadNode): number | null {
  // One row, or a source that has one page.
  if (!('items' in source) || source.next === undefined) return 1;
  if (source.page_size === undefined) return null;
  let rows = Number.POSITIVE_INFINITY;
  for (const op of ops) {
    // At worst nothing fits, and every page is looked at.
    if ('filter' in op) break;
    if ('limit' in op) rows = Math.min(rows, op.limit);
  }
  if (page_size !== undefined && !ops.some((op) => 'filter' in op)) rows = Math.min(rows, page_size);
  return Number.isFinite(rows) ? Math.max(1, Math.ceil(rows / source.page_size)) : null;
}
