import type { Row } from '../../activities/program/chunk.ts';
import { Fault } from '../../faults.ts';
import type { SessionOperation, Verdict } from '../../plan/execute-session.ts';
import { type OpMeta, opOf, type Phase, wireLine } from '../../plan/wire-line.ts';
import { type Caller, mustHave } from '../caller.ts';
import { findOperation, handleOf, numberIn } from './handles.ts';
import type { Running } from './operate.ts';
import { MOST_ROWS, rowsFrom } from './results.ts';
import type { SessionKey } from './session.ts';
import { standingOf } from './standing.ts';
import { columnsOf } from './table.ts';
import type { OperationWaits } from './waiting-for.ts';

/** An operation as lists and pages show it. Times are ISO 8601. */
export interface OperationView {
  handle: string;
  phase: Phase;
  line: string;
  op: OpMeta;
  verdict: Verdict;
  plan_commit_ref: string | null;
  commit_id: string;
  /** The first words of its program. */
  program: string;
  plan_id: string;
  accepted_at: string;
  ended_at: string | null;
  /** How often its sources have been asked; null where that is not known. */
  calls: number | null;
  /** Why it stands still, or part of it. */
  waiting_for: OperationWaits[];
}
export interface OperationDetails extends OperationView {
  /** What it has kept by now, by what it returns. */
  results: { label: string; rows: number }[];
}
export interface OperationList {
  operations: OperationView[];
  /** Those before this number are next; null at the end. */
  next_before: number | null;
}

export interface RowsRequest {
  offset: number;
  limit: number | undefined;
  /** Of which result, by its label; the first unless said. */
  of: string | undefined;
}
export interface RowsAnswer {
  label: string;
  rows: Row[];
  columns: string[];
  offset: number;
  /** Rows that are kept by now. */
  kept: number;
  next_offset: number | null;
}

const PAGE = 50;

function mustBeWithin(name: string, given: number | undefined, most?: number): void {
  if (given !== undefined && (given < 1 || (most !== undefined && given > most)))
    throw new Fault(
      'REQUEST_INVALID',
      `${name}: is ${given}; give a whole number from 1 ${most === undefined ? 'on' : `to ${most}`}`,
    );
}

/** Operations of a session before a number or handle, newest first; of a session that is not there, none. */
export async function listOperations(
  running: Running,
  caller: Caller,
  key: SessionKey,
  { before: given, limit = PAGE }: { before?: number | string | undefined; limit?: number | undefined },
): Promise<OperationList> {
  mustBeWithin('limit', limit, PAGE);
  const before = typeof given === 'string' ? numberIn(given, 'operations', key) : given;
  mustBeWithin('before', before);
  const listed = await running.sessions.list(key, { limit, ...(before !== undefined && { before }) });
  if (!listed || listed.ended) return { operations: [], next_before: null };
  const { operations } = listed;
  const views = await Promise.all(operations.map((one) => viewOf(running, caller, key, one)));
  const last = operations.at(-1);
  const isAll = !last || operations.length < limit || last.n === 1;
  return { operations: views.flatMap((view) => view ?? []), next_before: isAll ? null : last.n };
}

/** Undefined of one whose plan is no longer kept. */
async function viewOf(
  running: Running,
  caller: Caller,
  key: SessionKey,
  operation: SessionOperation,
): Promise<OperationView | undefined> {
  try {
    const { results: _, ...view } = await detailsOf(running, caller, key, operation);
    return view;
  } catch (error) {
    if (error instanceof Fault && error.code === 'HANDLE_EXPIRED') return undefined;
    throw error;
  }
}

export async function readOperation(
  running: Running,
  caller: Caller,
  key: SessionKey,
  handle: string,
): Promise<OperationDetails> {
  const operation = await findOperation(running.sessions, key, handle);
  return await detailsOf(running, caller, key, operation);
}

async function detailsOf(
  { parts }: Running,
  caller: Caller,
  { surface }: SessionKey,
  operation: SessionOperation,
): Promise<OperationDetails> {
  const handle = handleOf(surface, 'operations', operation.n);
  const {
    phase,
    now,
    results,
    ended_at,
    calls = null,
    waits: waiting_for,
  } = await standingOf(parts, caller, operation, handle);
  const { verdict, commit_ref, commit_id, program, plan_id, at } = operation;
  return {
    handle,
    phase,
    line: wireLine(handle, now.parts),
    op: opOf(now.n, now.parts),
    verdict,
    plan_commit_ref: commit_ref ?? null,
    ...{ commit_id, program, plan_id },
    accepted_at: new Date(at).toISOString(),
    ended_at: ended_at?.toISOString() ?? null,
    ...{ calls, waiting_for },
    results: results.map(({ label, count }) => ({ label, rows: count })),
  };
}

/** Rows that an operation has kept, also while it runs and when it was cancelled. */
export async function readRows(
  { parts, sessions }: Running,
  caller: Caller,
  key: SessionKey,
  handle: string,
  { offset, limit = MOST_ROWS, of }: RowsRequest,
): Promise<RowsAnswer> {
  mustHave(caller, 'plan:read');
  mustBeWithin('limit', limit, MOST_ROWS);
  const operation = await findOperation(sessions, key, handle);
  const { plan_id } = operation;
  const { results: all } = await standingOf(parts, caller, operation, handle);
  const result = of === undefined ? all[0] : all.find(({ label }) => label === of);
  if (!result) {
    if (of === undefined) return { label: '', rows: [], columns: [], offset, kept: 0, next_offset: null };
    const there = all.map(({ label }) => label).join(', ');
    throw new Fault('REQUEST_INVALID', `of: the operation returns no "${of.slice(0, 80)}"; it returns ${there}`);
  }
  const rows = await rowsFrom(parts.stores.rows, plan_id, result, offset, limit);
  const after = offset + rows.length;
  const next_offset = rows.length > 0 && after < result.count ? after : null;
  return { label: result.label, rows, columns: columnsOf(rows), offset, kept: result.count, next_offset };
}
