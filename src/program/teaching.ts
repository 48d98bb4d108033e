import type { Catalog } from './catalog.ts';

/** What an agent has to know to write programs over a catalog, as Markdown. */
export function teachingOf(_catalog: Catalog, _promptHash: string): string {
  throw new Error('not there yet');
}
