import { log, proxyActivities, workflowInfo } from '@temporalio/workflow';
import { LOAD_PREDECESSOR } from '../contract/names.ts';
import { type Packed, unpack } from '../contract/packed.ts';
import {
  type ChildWorkInput,
  HEARTBEAT_TIMEOUT_MS,
  type PlanInput,
  type Predecessor,
  type PredecessorInput,
} from '../contract/payloads.ts';
import type { ItemLeft } from '../plan/batch-left.ts';
import { type Beginning, begin, beginAgain, beginNextRun } from '../plan/begin.ts';
import { givenState, givenTask } from '../plan/given.ts';
import { type Gone, isWithin } from '../plan/gone.ts';
import type { Json } from '../plan/json.ts';
import type { Plan } from '../plan/plan.ts';
import { holdsStored } from '../plan/scope.ts';
import type { Snapshot } from '../plan/snapshot.ts';
import { initialTask, type TaskState } from '../plan/state.ts';
import { loaded } from './asides.ts';

/** Where the plan stands when this Temporal run of it begins. */
export async function beginPlan(input: PlanInput): Promise<Plan> {
  const beginning = { ...input, definition: unpack(input.definition), inputs: unpack(input.inputs) };
  if (input.child) return await beginChild(input, beginning, input.child.work);
  if (input.carried) return beginAgain(beginning, unpack(input.carried));
  if (!input.next_run) return begin(beginning, Date.now(), workflowInfo().startTime.getTime());
  const predecessor = await loadPredecessor(input.next_run);
  const { snapshot, files_gone, stored_gone, inside_gone, note } = predecessor;
  const gone: Gone = {
    files: files_gone,
    ...(stored_gone && { stored: stored_gone }),
    ...(inside_gone && { inside: inside_gone }),
  };
  const plan = beginNextRun(beginning, unpack(snapshot), input.next_run, Date.now(), { gone, note });
  if (predecessor.run_id !== input.next_run.from_run) refuse(plan, predecessor);
  return plan;
}

/** The next run's true predecessor is not the one its starter saw: somebody else was first. It ends as that one did. */
function refuse(plan: Plan, { snapshot, state }: Predecessor): void {
  log.warn('this run was started from an older one than the last; it ends without touching a task');
  const { run, seq } = unpack(snapshot);
  Object.assign(plan.state, { run, seq, events: [], verdict: state });
}

async function loadPredecessor({ from_run, mode }: NonNullable<PlanInput['next_run']>): Promise<Predecessor> {
  const activities = proxyActivities<
    Record<typeof LOAD_PREDECESSOR, (input: PredecessorInput) => Promise<Predecessor>>
  >({
    // What was kept is read through, whole.
    startToCloseTimeout: '1 day',
    heartbeatTimeout: HEARTBEAT_TIMEOUT_MS,
    summary: 'what the run before left',
  });
  return await activities[LOAD_PREDECESSOR]({ schema_version: 1, from_run, mode });
}

async function beginChild(input: PlanInput, beginning: Beginning, work: ChildWorkInput): Promise<Plan> {
  const { run, generation } = input.child!;
  const made = await CHILDREN[work.kind](input, beginning, work as never);
  Object.assign(made.state, { run, generation });
  return made;
}

type Begin<Kind> = (
  input: PlanInput,
  beginning: Beginning,
  work: Extract<ChildWorkInput, { kind: Kind }>,
) => Promise<Plan>;

const CHILDREN: { [Kind in ChildWorkInput['kind']]: Begin<Kind> } = {
  async plan({ carried }, beginning, { left, gone }) {
    if (carried) return beginAgain(beginning, unpack(carried));
    if (left === undefined) return begin(beginning, Date.now());
    const [snapshot] = holdsStored(left) ? await loaded(beginning.plan_id, [left], 'what it left before') : [left];
    const before = unpack(snapshot as unknown as Packed<Snapshot>);
    return beginNextRun(beginning, before, { mode: 'resume' }, Date.now(), gone && { gone });
  },

  async segment({ carried }, beginning, { given }) {
    return beginAgain({ ...beginning, given }, unpack(carried!));
  },

  async batch({ carried }, beginning, { map, words, max_parallel, piece, previous, gone, keeps_failed, given, total }) {
    const { plan_id } = beginning;
    const [values, before] = (await loaded(plan_id, [piece.items, previous ?? []], `items of ${map}`)) as ItemsLoaded;
    // Without fail_fast a failed item keeps none of the others from starting.
    const on_failure = words.fail_fast || words.task.on_failure !== 'fail' ? words.task.on_failure : 'continue';
    const template = { ...words.task, on_failure, uses: given.map((_, i) => i) };
    const tasks = values.map((_, k) => ({ ...template, id: `${map}[${piece.from + k}]` }));
    const batch: Beginning = {
      ...beginning,
      definition: { ...beginning.definition, max_parallel, tasks: [...given.map(givenTask), ...tasks] },
      items: {
        as: words.as,
        first: given.length,
        from: piece.from,
        values,
        ...(total !== undefined && { total }),
      },
      given: given.length,
    };
    if (carried) return beginAgain(batch, unpack(carried));
    const plan = begin(batch, Date.now());
    const items = values.map((_, k) =>
      gone && isWithin(gone, piece.from + k) ? itemAnew(before[k]) : itemState(before[k], keeps_failed),
    );
    plan.state.tasks = [...given.map(givenState), ...items];
    return beginAgain(batch, plan.state);
  },
};

type ItemsLoaded = [Json[], (ItemLeft | undefined)[]];

/** An item that succeeded in an earlier batch is not done again, nor one whose failure does not matter. */
function itemState(before: ItemLeft | undefined, keepsFailed = false): TaskState {
  const { status, asked, outputs, error, left, files_in, made, again } = before ?? NOT_BEGUN;
  const first = { ...initialTask(asked), ...(again !== undefined && { again }) };
  const files = { ...(files_in !== undefined && { files_in }), ...(made && { made }) };
  const kept = { ...first, ended_at: 0, outputs, ...files, reused: true as const };
  if (status === 'succeeded') return { ...kept, status };
  if (status === 'failed' && keepsFailed) return { ...kept, status, ...(error && { error }) };
  return { ...first, ...(left !== undefined && { left }) };
}

/** What an item had made is gone: it is another request to whoever gets it. */
function itemAnew({ asked, again = 0 } = NOT_BEGUN): TaskState {
  return { ...initialTask(asked), again: again + 1, reason: 'it runs again: files it made are gone or changed' };
}

const NOT_BEGUN: ItemLeft = { status: 'pending', asked: 0 };
