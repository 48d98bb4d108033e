import type { Place, Word } from './ast.ts';
import type { Report } from './problems.ts';

/** How each step is written. */
export const USAGE: Record<string, string> = {
  filter: '.filter{field >= 1, other = "text"}',
  project: '.project{field, other}',
  sort: '.sort(field, desc)',
  limit: '.limit(10)',
  page_size: '.page_size(50)',
  singleton: '.singleton()',
  aggregate: '.aggregate(n=count, total=sum(field))',
  group_by: '.group_by(field, n=count)',
  get: '.get(id)',
  create: '.create(field=value)',
  update: '.update(field=value)',
  delete: '.delete()',
};

export const usageOf = (name: string, rule: string): string => `.${name} ${rule}: ${USAGE[name]}`;

export const placeOf = ({ line, column }: Place): Place => ({ line, column });

export function mustDiffer(names: readonly Word[], report: Report): void {
  const seen = new Set<string>();
  for (const name of names) {
    if (seen.has(name.text)) report.problem(name, `${name.text} is named twice; keep one`);
    seen.add(name.text);
  }
}
