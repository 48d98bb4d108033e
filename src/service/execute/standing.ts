import type { StepLine } from '../../activities/program/row-store.ts';
import { workflowId } from '../../contract/names.ts';
import { asFault, Fault } from '../../faults.ts';
import type { SessionOperation } from '../../plan/execute-session.ts';
import { isTerminal } from '../../plan/lifecycle.ts';
import { type LineParts, PHASES, type Phase } from '../../plan/wire-line.ts';
import type { Caller } from '../caller.ts';
import { type Described, describePlan } from '../described.ts';
import { readView } from '../read-plan.ts';
import { isPlanFile, type OperationFacts } from './facts.ts';
import { operationLines } from './operation-lines.ts';
import type { ExecuteParts } from './parts.ts';
import { type Kept, keptOf } from './results.ts';
import { type OperationWaits, waitsOf } from './waiting-for.ts';

/** The n-th line of an operation; that of its acceptance is 1. */
export interface Line {
  n: number;
  /** ms since the epoch. */
  at: number;
  parts: LineParts;
}

/** How an operation stands: the lines that its steps have told, the one that says how it is now, and what it has kept. */
export interface OperationStanding extends Kept {
  phase: Phase;
  lines: Line[];
  now: Line;
  /** What it waits for besides its steps at work. */
  waits: OperationWaits[];
  facts: OperationFacts | undefined;
  ended_at: Date | undefined;
}

/** A plan that is being started is not found yet. Longer than Temporal may take to answer for a start. */
const STARTING_MS = 15_000;
/** Plans that Temporal has forgotten were there once. */
const FORGOTTEN_MS = 86_400_000;

/** `told`: while it runs, nothing is looked up but what its steps have told. */
export async function standingOf(
  parts: ExecuteParts,
  caller: Caller,
  { plan_id, at }: Pick<SessionOperation, 'plan_id' | 'at'>,
  handle: string,
  { told = false } = {},
): Promise<OperationStanding> {
  const found = await describe(parts, caller, plan_id);
  if (!found) return notThere(handle, at);
  const { operation: facts } = found.facts;
  const isRunning = !isTerminal(found.status);
  const steps = facts && !isPlanFile(facts) ? await parts.stores.rows.lines(plan_id) : [];
  const lines = facts ? await linesOf(parts, caller, plan_id, facts, steps) : [];
  const last = lines.at(-1);
  const common = { lines, facts, ended_at: found.closed_at, waits: [] };
  const begun: Line = last ?? { n: 1, at, parts: started(facts) };
  if (isRunning && told) return { ...common, phase: 'running', now: begun, results: [] };
  const kept: Kept = facts ? await keptOf(parts, caller, plan_id, facts, steps) : { results: [] };
  const rows = kept.results.reduce((sum, { count }) => sum + count, 0);
  if (isRunning) {
    const { org_id } = caller.principal;
    const waits = await waitsOf(parts.client, { org_id, plan_id }, found.status, facts);
    // What a step tells is up to two seconds old. The rows of a plan file are its tasks: all of them, from the beginning.
    const now = last && steps.length > 0 ? { ...begun, parts: { ...begun.parts, rows } as LineParts } : begun;
    return { ...common, ...kept, waits, phase: 'running', now };
  }
  const ended = await endingOf(parts, caller, plan_id, found, rows);
  const line = { n: (last?.n ?? 1) + 1, at: found.closed_at?.getTime() ?? Date.now(), parts: ended };
  return { ...common, ...kept, phase: PHASES[ended.is], now: line };
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
  const common = { lines: [], results: [], waits: [], facts: undefined, ended_at: undefined };
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

/** Of a program what its steps told; of a plan file each task that began. */
async function linesOf(
  { events }: ExecuteParts,
  caller: Caller,
  planId: string,
  facts: OperationFacts,
  steps: StepLine[],
): Promise<Line[]> {
  if (!isPlanFile(facts)) return operationLines(steps, facts);
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
