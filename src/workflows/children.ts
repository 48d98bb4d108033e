import {
  type ChildWorkflowHandle,
  getExternalWorkflowHandle,
  ParentClosePolicy,
  startChild,
  workflowInfo,
} from '@temporalio/workflow';
import { CHILD_TOLD, childId, SEGMENT_WORKFLOW, SUBPLAN_WORKFLOW } from '../contract/names.ts';
import { pack } from '../contract/packed.ts';
import { payload } from '../contract/payload-size.ts';
import type { ChildInput, CommandInput, PlanInput, ToldInput } from '../contract/payloads.ts';
import type { Child, ChildResult, Ending } from '../plan/child.ts';
import { TOLD_AT_ONCE, toTell, untold } from '../plan/children.ts';
import type { MapWords, SubPlanWords } from '../plan/definition.ts';
import { spansIn } from '../plan/gone.ts';
import { iterationInputs } from '../plan/iteration.ts';
import type { CommandName } from '../plan/lifecycle.ts';
import { batchSlots } from '../plan/map.ts';
import { nameOf, type Plan, taskAt } from '../plan/plan.ts';
import { pick } from '../plan/scope.ts';
import { givenOf, segmentPlan } from '../plan/segment-plan.ts';
import { doneAnew } from './attempts.ts';

type Handle = ChildWorkflowHandle<(input: PlanInput) => Promise<ChildResult>>;

/** Starts the child workflows of a plan and passes commands on to them. */
export function childRunner(input: PlanInput, onEnd: (child: Child, result: ChildResult) => void) {
  const handles = new Map<string, Promise<Handle>>();
  const told = new Map<string, Ending>();

  const send = (key: string, name: CommandName, command: CommandInput) =>
    void handles
      .get(key)
      ?.then((handle) => handle.signal(name, command))
      // It has just ended: its result tells the rest.
      .catch(() => {});

  return {
    start(plan: Plan, child: Child): void {
      const handle = startOf(plan, input, child);
      handles.set(child.key, handle);
      handle
        .then((started) => started.result())
        .catch((failure: unknown): ChildResult => endedOutside(failure))
        .then((result) => {
          handles.delete(child.key);
          told.delete(child.key);
          onEnd(child, result);
        });
    },

    passOn(name: CommandName, command: CommandInput): void {
      for (const key of handles.keys()) send(key, name, command);
    },

    /** Tells a child that it is to come to its end, once. */
    end(child: Child, command: CommandInput): void {
      if (!child.ending || told.get(child.key) === child.ending) return;
      told.set(child.key, child.ending);
      send(child.key, 'stop', { ...command, ...(child.ending === 'wind_down' && { graceful: true }) });
    },
  };
}

async function startOf(plan: Plan, input: PlanInput, child: Child): Promise<Handle> {
  const { workflowId } = workflowInfo();
  const { kind } = child.what;
  const task = child.what.kind === 'segment' ? undefined : taskAt(plan, child.what.task).task.id;
  return await startChild(kind === 'plan' ? SUBPLAN_WORKFLOW : SEGMENT_WORKFLOW, {
    workflowId: childId(workflowId, child.key),
    args: [payload(`what ${child.key} is started with`, childInput(plan, input, child))],
    parentClosePolicy: ParentClosePolicy.TERMINATE,
    workflowTaskTimeout: '5s',
    staticSummary: (task ?? `${child.key} of ${plan.definition.name}`).slice(0, 100),
  });
}

/** The child is a workflow like the plan itself; how it differs is in `child`. */
function childInput(plan: Plan, input: PlanInput, child: Child): PlanInput {
  const { state } = plan;
  const own = child.what.kind === 'segment' ? undefined : state.tasks[child.what.task]!.again;
  const again = doneAnew(input.child?.again, own);
  const base: Omit<ChildInput, 'work'> = {
    key: child.key,
    parent: workflowInfo().workflowId,
    run: state.run,
    generation: state.generation,
    ...(again && { again }),
  };
  const { next_run: _, start_at: __, source: ___, inputs_given: ____, ...rest } = input;
  const made: PlanInput = { ...rest, review: false, carried: undefined };
  switch (child.what.kind) {
    case 'plan': {
      const { task, at } = taskAt(plan, child.what.task);
      const { definition, outputs } = task.with as unknown as SubPlanWords;
      const { left, gone } = at;
      const env = { ...plan.definition.env, ...task.env, ...definition.env };
      return {
        ...made,
        path: `${nameOf(plan, child.what.task)}/`,
        definition: pack({ ...definition, env }),
        inputs: pack(child.what.inputs),
        child: {
          ...base,
          work: { kind: 'plan', outputs, ...(left !== undefined && { left }), ...(gone?.plan && { gone: gone.plan }) },
        },
      };
    }
    case 'batch': {
      const { task, piece } = child.what;
      const at = plan.state.tasks[task]!;
      const words = plan.definition.tasks[task]!.with as unknown as MapWords;
      const previous = at.map!.batches[piece]?.items;
      const gone = spansIn(at.gone?.items, at.map!.pieces[piece]!);
      const { env, name, as } = plan.definition;
      return {
        ...made,
        definition: {
          schema_version: 1,
          name,
          max_parallel: 1,
          ...(env && { env }),
          ...(as !== undefined && { as }),
          tasks: [],
        },
        inputs: pack(inputsRead(plan, [words.task])),
        child: {
          ...base,
          work: {
            kind: 'batch',
            map: plan.definition.tasks[task]!.id,
            words,
            max_parallel: batchSlots(plan, task),
            piece: at.map!.pieces[piece]!,
            ...(previous !== undefined && { previous }),
            ...(gone.length > 0 && { gone }),
            ...(words.task.on_failure === 'continue' && { keeps_failed: true }),
            ...(words.iterate && { total: at.map!.total }),
            given: givenOf(plan, words.task.uses),
          },
        },
      };
    }
    case 'segment': {
      const { definition, carried, given } = segmentPlan(plan, child.what.tasks, child.slots);
      return {
        ...made,
        definition: pack(definition),
        inputs: pack(inputsRead(plan, tasksOf(plan, child.what.tasks))),
        carried: pack(carried),
        child: { ...base, work: { kind: 'segment', given } },
      };
    }
  }
}

const tasksOf = ({ definition }: Plan, tasks: number[]) => tasks.map((i) => definition.tasks[i]!);

/** Only what these tasks read of the plan's inputs. */
const inputsRead = ({ inputs, definition }: Plan, tasks: { inputs: string[] }[]) =>
  pick(inputs, [...new Set(tasks.flatMap((task) => task.inputs)), ...iterationInputs(definition)]);

/** Terminated, timed out, or too large to be started. */
function endedOutside(failure: unknown): ChildResult {
  const message = failure instanceof Error ? (failure.cause ?? failure) : failure;
  return {
    schema_version: 1,
    verdict: 'failed',
    error: { code: 'CHILD_ENDED_OUTSIDE', message: message instanceof Error ? message.message : String(message) },
  };
}

/** Tells the parent how this child stands, whenever it is not what was told last. */
export function parentTeller({ child }: PlanInput): (plan: Plan, now: number) => void {
  if (!child) return () => {};
  const { key, parent } = child;
  let last = JSON.stringify({ status: 'executing', questions: [] });
  return (plan, now) => {
    if (plan.state.verdict) return;
    const told = toTell(plan, now);
    const text = JSON.stringify(told);
    // A segment's story is told as a whole when it has ended.
    const events = child.work.kind === 'segment' ? [] : untold(plan, TOLD_AT_ONCE);
    if (text === last && events.length === 0) return;
    last = text;
    const more = events.length > 0 ? { events } : {};
    const input: ToldInput = { schema_version: 1, key, n: plan.state.seq, told, ...more };
    // A parent that has closed needs to know no more.
    getExternalWorkflowHandle(parent)
      .signal(CHILD_TOLD, input)
      .catch(() => {});
  };
}
