import {
  ApplicationFailure,
  CancellationScope,
  condition,
  continueAsNew,
  defineQuery,
  defineSignal,
  log,
  proxyActivities,
  setHandler,
  upsertSearchAttributes,
  workflowInfo,
} from '@temporalio/workflow';
import { LOAD_PREDECESSOR, PLAN_FAILED, PLAN_STOPPED, QUERIES, SIGNALS } from '../contract/names.ts';
import { payload } from '../contract/payload-size.ts';
import type {
  CommandInput,
  EventsPage,
  EventsRequest,
  PlanInput,
  PlanResult,
  Predecessor,
  PredecessorInput,
} from '../contract/payloads.ts';
import { endOfAttempt } from '../plan/attempt.ts';
import { begin, beginAgain, beginNextRun } from '../plan/begin.ts';
import { applyCommand, commandFrom } from '../plan/commands.ts';
import type { CommandName } from '../plan/lifecycle.ts';
import { type Outcome, outcomeOf } from '../plan/outcome.ts';
import { nextDue, type Plan, planState } from '../plan/plan.ts';
import { snapshotOf } from '../plan/reuse.ts';
import { advance } from '../plan/scheduler.ts';
import { attemptEnded } from '../plan/task-endings.ts';
import { type PlanView, viewOf } from '../plan/view.ts';
import { runAttempt } from './attempts.ts';
import { STATE_ATTRIBUTE } from './search-attributes.ts';
import { wakeUp } from './wake-up.ts';

/** From this many history events on, a run hands over to the next as soon as nothing runs … */
const HANDOVER_EVENTS = 2_500;
/** … and from this many on, nothing new starts until what runs has ended. */
const DRAIN_EVENTS = 5_000;

/**
 * One plan. The rules are in `src/plan`; here they are only driven: every signal, timer and end of an attempt
 * takes one `step`, and what the step says is started, cancelled or awaited.
 */
export async function plan(input: PlanInput): Promise<PlanResult> {
  const driver = drive(input);
  // Stopping is ours to do in order, so a cancel request from Temporal is a stop, not a cancellation of what runs.
  CancellationScope.current().cancelRequested.catch(() => driver.command('stop', { actor: OPERATOR }));
  return await CancellationScope.nonCancellable(async () => {
    await driver.begin(input.next_run ? await loadPredecessor(input.next_run.from_run) : undefined);
    await condition(driver.isOver);
    return driver.end();
  });
}

const OPERATOR = { id: 'temporal', name: 'operator (Temporal)', org_id: '' };

function drive(input: PlanInput) {
  let plan: Plan | undefined;
  let handover = false;
  const early: (() => void)[] = [];
  const running = new Map<number, CancellationScope>();
  const setWakeUp = wakeUp(() => step());
  let told: string | undefined;

  // Registered before the first await: a signal may have come before the workflow began.
  for (const name of SIGNALS)
    setHandler(defineSignal<[CommandInput?]>(name), (given) => command(name, given), describe(name));
  setHandler(defineQuery<PlanView | null>(QUERIES.status), () => (plan ? viewOf(plan, Date.now()) : null));
  setHandler(defineQuery<string | null>(QUERIES.currentTask), () =>
    plan ? viewOf(plan, Date.now()).current_task : null,
  );
  setHandler(
    defineQuery<Outcome | null, [string]>(QUERIES.controlOutcome),
    (id) => (plan && outcomeOf(plan.state, id)) ?? null,
  );
  setHandler(defineQuery<EventsPage | null, [EventsRequest?]>(QUERIES.events), (request) =>
    plan ? eventsOf(plan, request) : null,
  );

  function command(name: CommandName, given: CommandInput | undefined): void {
    const now = Date.now();
    const apply = () => {
      applyCommand(plan!, name, commandFrom(given, now, plan!.state.seq), now);
      step();
    };
    if (plan) apply();
    else early.push(apply);
  }

  function step(): void {
    if (!plan || handover || plan.state.verdict) return;
    const events = workflowInfo().historyLength;
    plan.index.draining = events >= DRAIN_EVENTS;
    handover = events >= HANDOVER_EVENTS && running.size === 0;
    if (handover) return;
    const { start, cancel } = advance(plan, Date.now());
    for (const i of start) begun(i);
    if (cancel) for (const scope of running.values()) scope.cancel();
    setWakeUp(nextDue(plan));
    const { status } = planState(plan);
    if (status !== told) upsertSearchAttributes([{ key: STATE_ATTRIBUTE, value: status }]);
    told = status;
  }

  function begun(i: number): void {
    const scope = new CancellationScope();
    running.set(i, scope);
    void scope
      .run(() => runAttempt(plan!, input, i))
      .then((seen) => {
        running.delete(i);
        attemptEnded(plan!, i, endOfAttempt(seen), Date.now());
        step();
      });
  }

  return {
    command,
    isOver: () => handover || plan?.state.verdict !== undefined,

    async begin(predecessor: Predecessor | undefined): Promise<void> {
      const now = Date.now();
      if (input.carried) plan = beginAgain(input, input.carried);
      else if (!input.next_run) plan = begin(input, now, workflowInfo().startTime.getTime());
      else plan = beginNextRun(input, predecessor!.snapshot, input.next_run.mode, now);
      if (predecessor && predecessor.run_id !== input.next_run?.from_run) refuse(plan, predecessor);
      // The search attribute that the start set, or the run before.
      told = planState(plan).status;
      for (const apply of early.splice(0)) apply();
      step();
    },

    async end(): Promise<PlanResult> {
      const { state } = plan!;
      if (handover) await continueAsNew<typeof import('./plan.ts').plan>(carry(input, plan!));
      if (state.verdict === 'completed')
        return { schema_version: 1, state: 'completed', run: state.run, seq: state.seq };
      throw ending(plan!);
    },
  };
}

function ending(plan: Plan): ApplicationFailure {
  const { state } = plan;
  const stopped = state.verdict === 'stopped';
  return ApplicationFailure.create({
    type: stopped ? PLAN_STOPPED : PLAN_FAILED,
    message: stopped ? `stopped by ${state.stop?.by}` : (state.error?.message ?? 'failed'),
    nonRetryable: true,
    details: [payload('the snapshot of the plan', snapshotOf(plan, workflowInfo().runId))],
  });
}

/** The next run's true predecessor is not the one its starter saw: somebody else was first. It ends as that one did. */
function refuse(plan: Plan, { snapshot, state }: Predecessor): void {
  log.warn('this run was started from an older one than the last; it ends without touching a task');
  plan.state.run = snapshot.run;
  plan.state.verdict = state;
}

function carry(input: PlanInput, { state }: Plan): PlanInput {
  const { runId } = workflowInfo();
  const from_seq = (state.segments.at(-1)?.to_seq ?? 0) + 1;
  const segments = [...state.segments, { run_id: runId, from_seq, to_seq: state.seq }];
  return payload('the carried state of the plan', {
    ...input,
    next_run: undefined,
    carried: { ...state, segments, events: [] },
  });
}

function eventsOf({ state }: Plan, request: EventsRequest = { after_seq: 0, limit: 1_000 }): EventsPage {
  const from_seq = (state.segments.at(-1)?.to_seq ?? 0) + 1;
  const first = Math.max(0, request.after_seq + 1 - from_seq);
  return {
    events: state.events.slice(first, first + request.limit),
    from_seq,
    seq: state.seq,
    segments: state.segments,
  };
}

async function loadPredecessor(from_run: string): Promise<Predecessor> {
  const activities = proxyActivities<
    Record<typeof LOAD_PREDECESSOR, (input: PredecessorInput) => Promise<Predecessor>>
  >({
    startToCloseTimeout: '1 minute',
    summary: 'what the run before left',
  });
  return await activities[LOAD_PREDECESSOR]({ schema_version: 1, from_run });
}

const describe = (name: CommandName) => ({ description: `Holdpoint: ${name}` });
