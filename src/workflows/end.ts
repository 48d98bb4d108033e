import { ApplicationFailure, continueAsNew, patched, workflowInfo } from '@temporalio/workflow';
import { PLAN_FAILED, PLAN_STOPPED } from '../contract/names.ts';
import { pack } from '../contract/packed.ts';
import { PayloadTooLarge, payload } from '../contract/payload-size.ts';
import type { ChildWorkInput, PlanInput, PlanResult } from '../contract/payloads.ts';
import { batchLeft, hasFiles, itemsLeft } from '../plan/batch-left.ts';
import type { ChildResult } from '../plan/child.ts';
import { untold } from '../plan/children.ts';
import { expressionsIn, references } from '../plan/expression.ts';
import { outputsStored, outputsToStore } from '../plan/inline.ts';
import type { Json, JsonObject } from '../plan/json.ts';
import type { Plan } from '../plan/plan.ts';
import { positionOf } from '../plan/position.ts';
import { snapshotOf } from '../plan/snapshot.ts';
import type { PlanError } from '../plan/state.ts';
import { evaluated, stored } from './asides.ts';
import type { drive } from './drive.ts';

type Driver = ReturnType<typeof drive>;

/** Ends a plan: hands over to the next Temporal run of it, completes, or closes as failed. */
export async function closePlan(input: PlanInput, driver: Driver): Promise<PlanResult> {
  const plan = driver.plan();
  if (driver.isHandingOver()) await handOver(input, plan).catch((error: unknown) => driver.giveUp(tooLarge(error)));
  const { state } = plan;
  if (state.verdict === 'completed') return { schema_version: 1, state: 'completed', run: state.run, seq: state.seq };
  const stopped = state.verdict === 'stopped';
  throw ApplicationFailure.create({
    type: stopped ? PLAN_STOPPED : PLAN_FAILED,
    message: stopped ? `stopped by ${state.stop?.by}` : (state.error?.message ?? 'failed'),
    nonRetryable: true,
    details: snapshotOrNone(plan),
  });
}

/** A plan whose snapshot cannot be kept ends all the same; it has no next run then. */
function snapshotOrNone(plan: Plan): unknown[] {
  try {
    return [payload('the snapshot of the plan', pack(snapshotOf(plan, workflowInfo().runId)))];
  } catch (error) {
    if (!(error instanceof PayloadTooLarge)) throw error;
    return [];
  }
}

/** What is too large to be carried on ends its plan; anything else, such as Continue-As-New itself, goes its way. */
function tooLarge(error: unknown): PlanError {
  if (!(error instanceof PayloadTooLarge)) throw error;
  return { code: 'PLAN_TOO_LARGE', message: error.message };
}

async function handOver(input: PlanInput, plan: Plan): Promise<never> {
  const loose = outputsToStore(plan);
  if (loose) outputsStored(plan, loose, (await stored(plan, loose, 'outputs so far')) as { $stored: JsonObject });
  const { state } = plan;
  const { runId } = workflowInfo();
  const from_seq = (state.segments.at(-1)?.to_seq ?? 0) + 1;
  const segments = [...state.segments, { run_id: runId, from_seq, to_seq: state.seq }];
  // A segment's story is told by its parent once it has ended, so it keeps all of it.
  const kept = input.child?.work.kind === 'segment' ? { events: state.events } : { segments, events: [] };
  const carried = pack({ ...state, ...kept });
  return await continueAsNew<(input: PlanInput) => Promise<never>>(
    payload('the carried state of the plan', { ...input, next_run: undefined, carried }),
  );
}

/** Ends a child: it never fails, for how it ended is its result. */
export async function leave(input: PlanInput, driver: Driver): Promise<ChildResult> {
  const plan = driver.plan();
  if (driver.isHandingOver()) await handOver(input, plan).catch((error: unknown) => driver.giveUp(tooLarge(error)));
  const { state } = plan;
  const result: ChildResult = {
    schema_version: 1,
    verdict: state.verdict!,
    ...(state.error && { error: state.error }),
  };
  try {
    return payload('what a child leaves', { ...result, ...(await LEFT[input.child!.work.kind](input, plan)) });
  } catch (error) {
    return { schema_version: 1, verdict: 'failed', error: tooLarge(error) };
  }
}

const LEFT = {
  async plan(input: PlanInput, plan: Plan): Promise<Partial<ChildResult>> {
    const events = untold(plan);
    if (plan.state.verdict !== 'completed') return { events, left: await leftBy(plan), ...positionIn(input, plan) };
    const result = { events, ...(await outputsOf(plan, (input.child!.work as { outputs: JsonObject }).outputs)) };
    return tellsFiles(plan) ? { ...result, left: await leftBy(plan) } : result;
  },

  async segment(_input: PlanInput, { state, given }: Plan): Promise<Partial<ChildResult>> {
    return { tasks: state.tasks.slice(given), events: state.events.filter(({ task }) => task !== undefined) };
  },

  async batch(input: PlanInput, plan: Plan): Promise<Partial<ChildResult>> {
    const { words } = input.child!.work as Extract<ChildWorkInput, { kind: 'batch' }>;
    const files = tellsFiles(plan);
    const items = itemsLeft(plan, files) as unknown as Json[];
    const kept = JSON.stringify(items).length <= SMALL ? items : await stored(plan, items, 'what the items left');
    return {
      events: untold(plan),
      batch: { ...batchLeft(plan, words, files), items: kept, ...positionIn(input, plan) },
    };
  },
};

/** How far a session was: its user is told where it goes on. */
const positionIn = ({ session }: PlanInput, plan: Plan) => (session ? { position: positionOf(plan) } : {});

/** What was made inside sub-plans and maps is told, so that a next run can look for it; children begun by older code do not tell. */
const tellsFiles = (plan: Plan): boolean => hasFiles(plan) && patched('files-inside');

async function leftBy(plan: Plan): Promise<Json> {
  const left = pack(snapshotOf(plan, workflowInfo().runId)) as unknown as Json;
  // Many such may be kept by one parent.
  return JSON.stringify(left).length <= SMALL ? left : await stored(plan, left, 'what it leaves');
}

/** What a batch leaves is told in the parent's history up to this many bytes. */
const SMALL = 1_024;

async function outputsOf(plan: Plan, outputs: JsonObject): Promise<Partial<ChildResult>> {
  const named = expressionsIn(outputs).flatMap(({ text }) => references(text).tasks);
  const tasks = Object.fromEntries(
    named.map((id) => {
      const { status, outputs: left = {} } = plan.state.tasks[plan.index.byId.get(id)!]!;
      return [id, { status, outputs: left }];
    }),
  );
  const { plan_id: id, definition, state, inputs } = plan;
  const result = await evaluated(plan, outputs, { inputs, tasks, plan: { id, name: definition.name, run: state.run } });
  if ('ok' in result) return { outputs: result.ok as JsonObject };
  return { verdict: 'failed', error: { code: 'TASK_INVALID', message: `outputs: ${result.error}` } };
}
