import type { StepLine } from '../../activities/program/row-store.ts';
import { COALESCE_MS } from '../../plan/wire-line.ts';
import type { OperationFacts } from './facts.ts';
import type { Line } from './standing.ts';

/**
 * The lines of an operation, from what its steps told, each of itself: the furthest step that has begun, and how many rows are kept
 * of what it returns; before there are any, of what it makes those of. Steps that are under way at the same time tell in any order:
 * the operation's step never goes back.
 */
export function operationLines(told: readonly StepLine[], facts: Pick<OperationFacts, 'steps' | 'returns'>): Line[] {
  const returned = new Set(facts.returns.map(({ node }) => facts.steps.indexOf(node) + 1));
  const rowsOf = new Map<number, number>();
  const kept = { returned: 0, other: 0 };
  const lines: Line[] = [];
  let furthest: Pick<StepLine, 'step' | 'label'> = { step: 0, label: '' };
  let last = { at: 0, rows: 0 };
  for (const { at, step, total, label, rows } of told) {
    kept[returned.has(step) ? 'returned' : 'other'] += rows - (rowsOf.get(step) ?? 0);
    rowsOf.set(step, rows);
    const isNew = step > furthest.step;
    if (isNew) furthest = { step, label };
    const all = kept.returned || kept.other;
    if (!isNew && (all === last.rows || at - last.at < COALESCE_MS)) continue;
    last = { at, rows: all };
    lines.push({ n: lines.length + 2, at, parts: { is: 'running', ...furthest, total, rows: all } });
  }
  return lines;
}
