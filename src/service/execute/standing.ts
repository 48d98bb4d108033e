import { workflowId } from '../../contract/names.ts';
import { asFault, Fault } from '../../faults.ts';
import type { SessionOperation } from '../../plan/execute-session.ts';
import { isTerminal } from '../../plan/lifecycle.ts';
import { type LineParts, PHASES, type Phase } from '../../plan/wire-line.ts';
import type { Caller } from '../caller.ts';
import { type Described, describePlan } from '../described.ts';
import { readView } from '../read-plan.ts';
import { isPlanFile, type OperationFacts } from './facts.ts';
import type { ExecuteParts } from './parts.ts';
import { type Result, resultsOf } from './results.ts';

/** The n-th line of an operation; that of its acceptance is 1. */
export interface Line {
  n: number;
  /** ms since the epoch. */
  at: number;
  parts: LineParts;
}

/** How an operation stands: the lines that its steps have told, the one that says how it is now, and what it has kept. */
export interface OperationStanding {
  phase: Phase;
  lines: Line[];
  now: Line;
  results: Result[];
  facts: OperationFacts | undefined;
  ended_at: Date | undefined;
}

/** A plan that is being started is not found yet. Longer than Temporal may take to answer for a start. */
const STARTING_MS = 15_000;
/** Plans that Temporal has forgotten were there once. */
const FORGOTTEN_MS = 86_400_000;

export async function standingOf(
  parts: ExecuteParts,
  caller: Caller,
  { plan_id, at }: Pick<SessionOperation, 'plan_id' | 'at'>,
  handle: string,
): Promise<OperationStanding> {
  const found = await describe(parts, caller, plan_id);
  if (!found) return notThere(handle, at);
  const { operation: facts } = found.facts;
  const lines = facts ? await linesOf(parts, caller, plan_id, facts) : [];
  const last = lines.at(-1);
  const n = last?.n ?? 1;
  const common = { lines, facts, ended_at: found.closed_at };
  if (!isTerminal(found.status)) {
    const now: Line = last ? await current(parts, plan_id, last, facts) : { n, at, parts: started(facts) };
    return { ...common, phase: 'running', now, results: [] };
  }
  const results = facts ? await resultsOf(parts, caller, plan_id, facts, last && stepOf(last)) : [];
  const rows = results.reduce((sum, { count }) => sum + count, 0);
  const ended = await endingOf(parts, caller, plan_id, found, rows);
  const line = { n: n + 1, at: found.closed_at?.getTime() ?? Date.now(), parts: ended };
  return { ...common, phase: PHASES[ended.is], now: line, results };
}

/** Undefined while there is no such plan. */
async function describe(
  { client }: ExecuteParts,
  { principal }: Caller,
  planId: string,
): Promise<Described | undefined> {
  try {
    return await describePlan(client, workflowId(principal.org_id, planId), planId);
  } catch (error) {
    if (asFault(error).code === 'PLAN_NOT_FOUND') return undefined;
    throw error;
  }
}

function notThere(handle: string, at: number): OperationStanding {
  const age = Date.now() - at;
  const common = { lines: [], results: [], facts: undefined, ended_at: undefined };
  if (age < STARTING_MS) return { ...common, phase: 'running', now: { n: 1, at, parts: { is: 'running' } } };
  if (age > FORGOTTEN_MS)
    throw new Fault('HANDLE_EXPIRED', `${handle} has expired: its plan is no longer kept; run the program again`);
  const message = 'it was accepted and never started, as the server ended in between; run the program again';
  return { ...common, phase: 'failed', now: { n: 2, at, parts: { is: 'failed', message } } };
}

const started = (facts: OperationFacts | undefined): LineParts => ({
  is: 'running',
  ...(facts && { step: 1, total: facts.total }),
});

const stepOf = ({ parts }: Line) =>
  parts.is === 'running' ? { step: parts.step ?? 1, label: parts.label ?? '' } : undefined;

/** What a step tells is up to two seconds old; how it is now is looked up. */
async function current(
  { stores }: ExecuteParts,
  planId: string,
  { n, at, parts }: Line,
  facts: OperationFacts | undefined,
): Promise<Line> {
  const node = parts.is === 'running' ? facts?.steps[(parts.step ?? 1) - 1] : undefined;
  if (parts.is !== 'running' || node === undefined) return { n, at, parts };
  const { count } = await stores.rows.standing(planId, node);
  return { n, at, parts: { ...parts, rows: Math.max(count, parts.rows ?? 0) } };
}

/** Of a program what its steps wrote; of a plan file each task that began. */
export async function linesOf(
  { stores, events }: ExecuteParts,
  caller: Caller,
  planId: string,
  facts: OperationFacts,
): Promise<Line[]> {
  if (!isPlanFile(facts)) {
    const told = await stores.rows.lines(planId);
    return told.map(({ n, at, ...of }) => ({ n, at, parts: { is: 'running', ...of } }));
  }
  const began = new Map<string, number>();
  for (const { type, task, at } of await events(caller, planId, 0))
    if (type === 'TaskStarted' && task !== undefined && !began.has(task)) began.set(task, at);
  const { total } = facts;
  return Array.from(began).map(([label, at], i) => ({
    n: i + 2,
    at,
    parts: { is: 'running', step: Math.min(i + 1, total), total, label },
  }));
}

async function endingOf(
  { client }: ExecuteParts,
  { principal: { org_id } }: Caller,
  plan_id: string,
  { status, ended_outside }: Described,
  rows: number,
): Promise<LineParts> {
  if (status === 'completed') return { is: 'succeeded', rows };
  if (status === 'stopped' && ended_outside === undefined) return { is: 'cancelled', rows };
  if (ended_outside !== undefined) return { is: 'failed', message: ended_outside };
  const { error, tasks } = await readView(client, { org_id, plan_id });
  const failed = tasks.find(({ status }) => status === 'failed');
  return { is: 'failed', message: failed?.error?.message ?? error?.message ?? '' };
}
