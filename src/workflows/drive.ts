import {
  CancellationScope,
  defineQuery,
  defineSignal,
  patched,
  proxySinks,
  setCurrentDetails,
  setHandler,
  upsertMemo,
  upsertSearchAttributes,
  workflowInfo,
} from '@temporalio/workflow';
import type { HintSinks } from '../contract/hints.ts';
import { CHILD_TOLD, QUERIES, SIGNALS, SLOT_GIVEN } from '../contract/names.ts';
import type {
  CommandInput,
  EventsPage,
  EventsRequest,
  PlanInput,
  SessionStands,
  SlotInput,
  ToldInput,
} from '../contract/payloads.ts';
import { asideEnded } from '../plan/asides.ts';
import { endOfAttempt } from '../plan/attempt.ts';
import type { Child, ChildResult } from '../plan/child.ts';
import { childEnded, recordTold } from '../plan/child-endings.ts';
import { childHeard, heardBy } from '../plan/children.ts';
import { applyCommand, type Command, commandFrom } from '../plan/commands.ts';
import { planDetails } from '../plan/details.ts';
import type { AsideWork } from '../plan/effects.ts';
import type { CommandName } from '../plan/lifecycle.ts';
import { HOLDER, limitTold } from '../plan/limits.ts';
import { settleSlot, takeSlot } from '../plan/line.ts';
import { type Outcome, outcomeOf } from '../plan/outcome.ts';
import { inFlight, nextDue, type Plan, planState, soonest } from '../plan/plan.ts';
import { positionOf } from '../plan/position.ts';
import { advance } from '../plan/scheduler.ts';
import { lacksSlot } from '../plan/slot.ts';
import type { PlanError } from '../plan/state.ts';
import { attemptEnded, whyCancelled } from '../plan/task-endings.ts';
import { giveUp, tellState as recordState } from '../plan/verdict.ts';
import { type PlanView, type TaskPage, viewOf } from '../plan/view.ts';
import { runAside } from './asides.ts';
import { runAttempt } from './attempts.ts';
import { childRunner, parentTeller } from './children.ts';
import { historyRoom } from './history-room.ts';
import { STATE_ATTRIBUTE } from './search-attributes.ts';
import { slotTalk } from './slots.ts';
import { standing } from './standing.ts';
import { wakeUp } from './wake-up.ts';

/**
 * Drives the rules of one plan: every signal, timer and end of something in flight takes one `step`, and what the step says is
 * started, cancelled or awaited.
 */
export function drive(input: PlanInput) {
  let plan: Plan | undefined;
  let handingOver = false;
  const early: (() => void)[] = [];
  /** All attempts in flight: they are only ever cancelled together. */
  let attempts = new CancellationScope();
  const interrupted = new WeakSet<CancellationScope>();
  let stepSoon = false;
  /** The request by which the plan was stopped: its children are stopped by the same. */
  let stopSent: { request_id?: string } = {};
  const children = childRunner(input, (child, result) => endOfChild(child, result));
  const tellParent = parentTeller(input);
  const setWakeUp = wakeUp(() => step());
  const room = historyRoom();
  const tellState = stateTeller(input);
  const hint = hinter(input);
  const slots = slotTalk(input);
  /** Children of a plan that is resumed go on with it: when it has its slot. */
  let onSlot: (() => void) | undefined;

  // Registered before the first await: a signal may have come before the workflow began.
  for (const name of SIGNALS)
    setHandler(defineSignal<[CommandInput?]>(name), (given) => command(name, given), describe(name));
  setHandler(defineSignal<[ToldInput]>(CHILD_TOLD), (given) => childTold(given));
  setHandler(defineSignal<[SlotInput?]>(SLOT_GIVEN), (given) => slotGiven(given?.ticket));
  setHandler(defineQuery<PlanView | null, [TaskPage?]>(QUERIES.status), (page) =>
    plan ? { ...viewOf(plan, Date.now(), page), ...worktreeOf(input) } : null,
  );
  setHandler(defineQuery<string | null>(QUERIES.currentTask), () =>
    plan ? viewOf(plan, Date.now(), { from: 0, limit: 0 }).current_task : null,
  );
  setHandler(
    defineQuery<Outcome | null, [string]>(QUERIES.controlOutcome),
    (id) => (plan && !plan.index.unheard.has(id) && outcomeOf(plan.state, id)) || null,
  );
  setHandler(defineQuery<EventsPage | null, [EventsRequest?]>(QUERIES.events), (request) =>
    plan ? eventsOf(plan, request) : null,
  );
  setHandler(defineQuery<ReturnType<typeof standing>>(QUERIES.standing), () => standing(plan, input));

  function command(name: CommandName, given: CommandInput | undefined): void {
    const now = Date.now();
    const apply = () => {
      const made = commandFrom(given, now, plan!.state.seq);
      const isNew = !outcomeOf(plan!.state, made.request_id);
      const { result } = applyCommand(plan!, name, made, now);
      const taken = isNew && (result === 'done' || result === 'accepted');
      if (isNew && TAKEN_BY_ALL.includes(name)) heardBy(plan!, made.request_id, taken);
      if (taken && made.interrupt) interrupt();
      if (taken && name === 'stop') stopSent = { request_id: made.request_id };
      if (taken && PASSED_ON.includes(name)) passOn(name, made);
      step();
    };
    if (plan) apply();
    else early.push(apply);
  }

  /** Attempts in flight are ended, and are made again when the plan goes on; what was being computed is begun again at once. */
  function interrupt(): void {
    interrupted.add(attempts);
    attempts.cancel();
    attempts = new CancellationScope();
  }

  function passOn(name: CommandName, made: Command): void {
    const actor = { ...made.actor, org_id: input.principal.org_id };
    const send = () => children.passOn(name, { ...made, schema_version: 1, actor });
    onSlot = undefined;
    if (name === 'resume' && lacksSlot(plan!)) onSlot = send;
    else send();
  }

  /** What works for a plan that a limit holds starts nothing more, either. */
  function passOnHold(): void {
    const { seq } = plan!.state;
    passOn('pause', { request_id: `limit-${seq}`, actor: HOLDER, at: Date.now() });
  }

  function slotGiven(ticket: number | undefined): void {
    const apply = () => {
      // Sent by hand, or not for this plan.
      if (ticket === undefined || !plan!.definition.concurrency) return;
      if (!takeSlot(plan!, ticket, Date.now())) return slots.tell(plan!, { give_back: ticket });
      onSlot?.();
      onSlot = undefined;
      step();
    };
    if (plan) apply();
    else early.push(apply);
  }

  /** Only the newest counts: signals may overtake each other. */
  const newest = new Map<string, number>();
  function childTold({ key, n, told, events }: ToldInput): void {
    const child = plan?.index.children.get(key);
    if (!plan || !child) return;
    recordTold(plan, events, Date.now());
    childHeard(plan, key, told.heard ?? '');
    if (n < (newest.get(key) ?? 0)) return;
    newest.set(key, n);
    child.told = told;
    if (told.limited && limitTold(plan, key, told.limited, Date.now())) passOnHold();
    step();
  }

  function step(): void {
    if (!plan || plan.state.verdict) return;
    const now = Date.now();
    if (!handingOver) {
      const flying = inFlight(plan);
      plan.index.room = room.now(workflowInfo().historyLength, flying, now);
      handingOver = room.isFull(workflowInfo().historyLength) && !flying;
    }
    if (handingOver) {
      tellHandedOver(plan, now);
      return;
    }
    const effects = advance(plan, now);
    for (const i of effects.attempts) startAttempt(i);
    for (const { task, work } of effects.asides) startAside(task, work);
    for (const child of effects.children) children.start(plan, child);
    if (effects.slot) slots.tell(plan, effects.slot);
    if (effects.cancel) {
      attempts.cancel();
      attempts = new CancellationScope();
    }
    for (const child of plan.index.children.values())
      children.end(child, { ...stopSent, schema_version: 1, actor: endedBy(plan, input) });
    setWakeUp(plan.state.verdict ? undefined : soonest([nextDue(plan), room.wakeUp()]));
    tellState(plan);
    tellParent(plan, now);
    setCurrentDetails(planDetails(plan, now));
    hint(plan);
  }

  /** What ends or is commanded right before the hand-over changes the plan's state all the same: its story and the lists have to tell. */
  function tellHandedOver(plan: Plan, now: number): void {
    const isTold = input.child || planState(plan).status === plan.state.told?.status;
    if (isTold || !patched('state-told-at-hand-over')) return;
    recordState(plan, now);
    tellState(plan);
    hint(plan);
  }

  function startAttempt(i: number): void {
    void attempts
      .run(() => runAttempt(plan!, input, i))
      .then((seen) => {
        const wasHeld = plan!.state.pause;
        attemptEnded(plan!, i, endOfAttempt(seen, input.charged_to), Date.now());
        if (plan!.state.pause?.limit && !wasHeld) passOnHold();
        later();
      });
  }

  /** What ends in one activation is taken together: one step for all. */
  function later(): void {
    if (stepSoon) return;
    stepSoon = true;
    void Promise.resolve().then(() => {
      stepSoon = false;
      step();
    });
  }

  function startAside(i: number, work: AsideWork): void {
    const scope = attempts;
    void scope
      .run(() => runAside(plan!, i, work))
      .then((result) => {
        if (interrupted.has(scope) && 'error' in result && !plan!.state.stop) return startAside(i, work);
        asideEnded(plan!, i, work, result, Date.now());
        later();
      });
  }

  function endOfChild(child: Child, result: ChildResult): void {
    childEnded(plan!, child, result, Date.now());
    later();
  }

  return {
    command,
    plan: () => plan!,
    isHandingOver: () => handingOver,
    /** Resolves when the plan's group knows what it has to; undefined where there is nothing to tell. */
    slotsTold: slots.told,
    /** The plan cannot go on. */
    giveUp(error: PlanError): void {
      if (!plan || plan.state.verdict) return;
      giveUp(plan, error, Date.now());
      const slot = settleSlot(plan, Date.now());
      if (slot) slots.tell(plan, slot);
      tellState(plan);
      setCurrentDetails(planDetails(plan, Date.now()));
      hint(plan);
    },
    isOver: () => handingOver || plan?.state.verdict !== undefined,
    begin(made: Plan): void {
      plan = made;
      tellState.start(plan);
      for (const apply of early.splice(0)) apply();
      step();
    },
  };
}

/** Children hold and go on with their parent. */
const PASSED_ON: readonly CommandName[] = ['pause', 'resume'];
/** These have an outcome once all that works for the plan has taken them: nothing starts after they are acknowledged. */
const TAKEN_BY_ALL: readonly CommandName[] = ['pause', 'stop'];

/** In whose name children are ended. */
const endedBy = (plan: Plan, { principal }: PlanInput) => ({
  ...principal,
  name: plan.state.stop?.by ?? `the plan: ${whyCancelled(plan)}`,
});

/** Writes the plan's state into its search attribute whenever it changes; children are in no list. */
function stateTeller({ child, session }: PlanInput) {
  let told: string | undefined;
  const tell = (plan: Plan) => {
    const { status } = planState(plan);
    if (status === told) return;
    if (!child) upsertSearchAttributes([{ key: STATE_ATTRIBUTE, value: status }]);
    if (!child && session && status !== 'executing') upsertMemo({ stands: standsAt(plan) });
    told = status;
  };
  /** The search attribute that the start set, or the run before. */
  tell.start = (plan: Plan) => {
    told = planState(plan).status;
  };
  return tell;
}

/** Where a session stands, and what holds it: lists of sessions show that without asking each. */
const standsAt = (plan: Plan): SessionStands => ({
  ...positionOf(plan),
  at: Date.now(),
  ...(plan.state.pause && { hold: plan.state.pause.reason }),
});

/** Hints whenever there are new events; a child's news that its plan's story has reach the plan as `child_told`. */
function hinter({ child, principal, plan_id }: PlanInput): (plan: Plan) => void {
  const { hints } = proxySinks<HintSinks>();
  let hinted = 0;
  return ({ state }) => {
    if (child || state.seq === hinted) return;
    hinted = state.seq;
    hints.moved({ org_id: principal.org_id, plan_id });
  };
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

const describe = (name: CommandName) => ({ description: `Holdpoint: ${name}` });

/** What works for a plan is in the same one. */
const worktreeOf = ({ child, place: { worktree } }: PlanInput) => (worktree && !child ? { worktree } : {});
