import type { PlanEvent } from '../../../src/plan/events.ts';
import { allows, COMMANDS, type CommandName, isTerminal, type Situation } from '../../../src/plan/lifecycle.ts';
import { type Story, type Violation, withChildren } from './story.ts';

const broken = (message: string, at: string): Violation => ({ promise: 4, message, at });

/** The event by which an accepted command shows; one that only answers a question shows as the answer. */
const SHOWS_AS = {
  pause: 'PlanPaused',
  resume: 'PlanResumed',
  stop: 'PlanStopped',
  hold: 'TaskHeld',
  release: 'TaskReleased',
} as const satisfies Partial<Record<CommandName, PlanEvent['type']>>;
const SHOWN: Partial<Record<PlanEvent['type'], CommandName>> = {
  ...Object.fromEntries(Object.entries(SHOWS_AS).map(([name, type]) => [type, name])),
  PlanApproved: 'approve',
  QuestionAnswered: 'answer',
};

/** 4. Commands on one plan are taken in one order, each as the tables allow where it stands; duplicates do nothing. */
export function commands(story: Story): Violation[] {
  return [
    ...story.children.flatMap(commands),
    ...legal(story),
    ...questions(story),
    ...onceEach(story),
    ...told(story),
  ];
}

/** Goes through the events with nothing but the lifecycle tables. */
function legal({ events }: Story): Violation[] {
  const violations: Violation[] = [];
  let [status, paused, stopped]: [Situation['status'] | undefined, boolean, boolean] = [undefined, false, false];
  for (const event of events) {
    const situation = status && {
      status,
      pausing: paused && !stopped && status === 'executing',
      stopping: stopped && !isTerminal(status),
    };
    const name = SHOWN[event.type];
    const shown = JSON.stringify(situation);
    // An interruption cuts a pause short that waits for what runs.
    const cuts = name === 'pause' && event.message === 'interrupted' && situation?.pausing;
    if (name && situation && !cuts && !allows(name, situation))
      violations.push(broken(`${name} was taken where it is not allowed: ${shown}`, `seq ${event.seq}`));
    const refused = event.type === 'CommandRefused' ? refusedByTable(event.message ?? '') : undefined;
    if (refused && situation && allows(refused, situation))
      violations.push(broken(`${refused} was refused where it is allowed: ${shown}`, `seq ${event.seq}`));
    if (event.type === 'PlanPaused') paused = true;
    if (event.type === 'PlanResumed') paused = false;
    if (event.type === 'PlanStopped') stopped = true;
    if (event.type === 'RunStarted') [status, paused, stopped] = [undefined, false, false];
    if (event.state) status = event.state.status;
    if (event.state && isTerminal(event.state.status)) paused = false;
  }
  return violations;
}

/** The command that a refusal is of, if it was for the plan's state and nothing else. */
function refusedByTable(message: string): CommandName | undefined {
  const name = message.slice(0, message.indexOf(':')) as CommandName;
  if (!Object.hasOwn(COMMANDS, name) || message.includes('strict handling')) return undefined;
  return message.startsWith(`${name}: cannot ${COMMANDS[name].verb} a plan that is`) ? name : undefined;
}

/** A question is opened once, and closed once, by an answer or by its time-out. */
function questions({ events }: Story): Violation[] {
  const open = new Map<string, boolean>();
  return events.flatMap(({ type, question, seq, message }) => {
    if (question === undefined) return [];
    const at = `seq ${seq}`;
    if (type === 'QuestionOpened') {
      const again = open.has(question);
      open.set(question, true);
      return again ? [broken(`question ${question} was opened twice`, at)] : [];
    }
    if (type !== 'QuestionAnswered' && type !== 'QuestionTimedOut') return [];
    const wasOpen = open.get(question) === true;
    if (type === 'QuestionAnswered' || message !== 'hold') open.set(question, false);
    return wasOpen ? [] : [broken(`${type} of question ${question}, which was not open`, at)];
  });
}

/** No command had more effects than it was sent under request ids of its own; none was lost on the way. */
function onceEach({ events, runs, children }: Story): Violation[] {
  const facts = runs.flatMap(({ facts }) => facts);
  // What a child has told its parent is counted there.
  const toldBelow = new Set(children.flatMap(withChildren).flatMap(({ events }) => events.map(keyOf)));
  const below = children.flatMap(withChildren).flatMap(({ runs }) => runs.flatMap(({ facts }) => facts));
  return (Object.keys(SHOWS_AS) as (keyof typeof SHOWS_AS)[]).flatMap((name) => {
    const signals = facts.flatMap((fact) => (fact.is === 'signal' && fact.name === name ? [fact] : []));
    // What names a task in a child is sent on to it, and has its outcome there.
    const sentOn = NAMES_A_TASK.includes(name) ? requestIds(below, name) : new Set();
    const named = new Set([...requestIds(signals, name)].filter((id) => !sentOn.has(id)));
    const cancels = name === 'stop' ? facts.filter(({ is }) => is === 'cancel_requested').length : 0;
    const sent = named.size + signals.filter(({ request_id }) => request_id === undefined).length + cancels;
    const effects = events.filter(
      (event) =>
        !(NAMES_A_TASK.includes(name) && toldBelow.has(keyOf(event))) &&
        (event.type === SHOWS_AS[name] || (event.type === 'CommandRefused' && event.message?.startsWith(`${name}: `))),
    ).length;
    if (events.length === 0 || effects === sent) return [];
    return [broken(`${name}: ${sent} were sent under different request ids, and ${effects} had an outcome`, name)];
  });
}

const keyOf = ({ type, task, at }: PlanEvent): string => `${type} ${task} ${at}`;

const NAMES_A_TASK: readonly CommandName[] = ['hold', 'release'];

const requestIds = (facts: Story['runs'][number]['facts'], name: string): Set<string> =>
  new Set(facts.flatMap((fact) => (fact.is === 'signal' && fact.name === name ? (fact.request_id ?? []) : [])));

/** What callers were told is what the plan keeps, and what it was told was sent. */
function told({ answers, runs }: Story): Violation[] {
  const sent = new Set(
    runs.flatMap(({ facts }) => facts.flatMap((fact) => (fact.is === 'signal' ? (fact.request_id ?? []) : []))),
  );
  return answers.flatMap(({ told, kept }) => {
    const { request_id, result } = told;
    // A command that came after the end never reached the plan.
    if (result === 'refused' && !kept) return [];
    if (!sent.has(request_id)) return [broken('its caller has an answer, and no history holds it', request_id)];
    if (result === 'pending' || kept?.result === result) return [];
    return [broken(`its caller was told ${result}; the plan says ${kept?.result ?? 'nothing'}`, request_id)];
  });
}
