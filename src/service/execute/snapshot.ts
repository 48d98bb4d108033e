import { workflowId } from '../../contract/names.ts';
import { Fault } from '../../faults.ts';
import type { Phase } from '../../plan/wire-line.ts';
import { type Caller, mustHave } from '../caller.ts';
import { describePlan } from '../described.ts';
import type { RowsAnswer, RowsRequest } from './operations.ts';
import type { ExecuteParts } from './parts.ts';
import { MOST_ROWS, rowsFrom } from './results.ts';
import { standingOf } from './standing.ts';
import { columnsOf } from './table.ts';

/** What the plan of a program has kept by now, whole: also while it runs, and when it was cancelled or has failed. */
export interface Snapshot extends RowsAnswer {
  plan_id: string;
  phase: Phase;
  /** Of one that has failed: why. Lines have a handle, which those that ran at once never had. */
  reason?: string;
  results: { label: string; rows: number }[];
}

/** Throws PLAN_NOT_FOUND also for a plan that runs no program. */
export async function readSnapshot(
  parts: ExecuteParts,
  caller: Caller,
  planId: string,
  { offset, limit = MOST_ROWS, of }: RowsRequest,
): Promise<Snapshot> {
  mustHave(caller, 'plan:read');
  const { facts } = await describePlan(parts.client, workflowId(caller.principal.org_id, planId), planId);
  if (!facts.operation) throw new Fault('PLAN_NOT_FOUND', `the plan ${planId} runs no program`);
  const { phase, now, results: all } = await standingOf(parts, caller, { plan_id: planId, at: Date.now() }, planId);
  const result = of === undefined ? all[0] : all.find(({ label }) => label === of);
  const results = all.map(({ label, count }) => ({ label, rows: count }));
  const told = {
    plan_id: planId,
    phase,
    ...(now.parts.is === 'failed' && { reason: now.parts.message || 'it failed' }),
    results,
  };
  if (!result) {
    if (of === undefined || results.length === 0)
      return { ...told, label: of ?? '', rows: [], columns: [], offset, kept: 0, next_offset: null };
    const there = results.map(({ label }) => label).join(', ');
    throw new Fault('OUTPUT_NOT_FOUND', `the program returns no "${of.slice(0, 80)}"; it returns ${there}`);
  }
  const rows = await rowsFrom(parts.stores.rows, planId, result, offset, Math.min(limit, MOST_ROWS));
  const after = offset + rows.length;
  const next_offset = rows.length > 0 && after < result.count ? after : null;
  return { ...told, label: result.label, rows, columns: columnsOf(rows), offset, kept: result.count, next_offset };
}
