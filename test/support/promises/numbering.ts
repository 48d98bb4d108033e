import { isTerminal } from '../../../src/plan/lifecycle.ts';
import { eventsByRun, type Story, type Violation } from './story.ts';

const broken = (message: string, at: string): Violation => ({ promise: 5, message, at });

/** 5. Events are numbered without gap or repeat over all runs, do not go back in time, and each run ends once. */
export function numbering(story: Story): Violation[] {
  const { events, runs } = story;
  // A child that goes on after a failure goes on with the numbers, too.
  const first = isPlan(story) ? 1 : (events[0]?.seq ?? 1);
  return [
    ...story.children.flatMap(numbering),
    ...events.flatMap(({ seq }, i) =>
      seq === first + i ? [] : [broken(`the event in place ${i + 1} has seq ${seq}`, `seq ${seq}`)],
    ),
    ...times(story),
    ...(events.length > 0
      ? endings(story)
      : runs.length > 0 && isPlan(story)
        ? [broken('it tells no events', '')]
        : []),
  ];
}

const isPlan = ({ runs }: Story) => runs.length > 0 && /^plan\/[^/]+\/[^/]+$/.test(runs[0]!.workflow_id);

function times({ events }: Story): Violation[] {
  const lifecycle = events.filter(({ type }) => type.startsWith('Plan') || type === 'RunStarted');
  return lifecycle.flatMap(({ at, seq, type }, i) =>
    i > 0 && at < lifecycle[i - 1]!.at ? [broken(`${type} is earlier than the one before it`, `seq ${seq}`)] : [],
  );
}

function endings(story: Story): Violation[] {
  const events = eventsByRun(story);
  const last = events.at(-1)!.run;
  const isOpen = story.runs.at(-1)?.ending === undefined;
  return Array.from({ length: last }, (_, i) => i + 1).flatMap((run) => {
    const own = events.filter((event) => event.run === run);
    if (own.length === 0) return [];
    const ends = own.filter(({ state }) => state && isTerminal(state.status));
    // A start that lost the race for the next run ends without a word.
    if (
      ends.length === 0 &&
      run < last &&
      isRefusedStart(
        own,
        events.find((event) => event.run === run + 1),
      )
    )
      return [];
    const expected = run === last && isOpen ? 0 : 1;
    if (ends.length !== expected)
      return [broken(`run ${run} has ${ends.length} endings, not ${expected}`, `seq ${own.at(-1)!.seq}`)];
    const after = own.filter(
      ({ seq, type }) => seq > (ends[0]?.seq ?? Number.POSITIVE_INFINITY) && type !== 'CommandRefused',
    );
    return after.map(({ type, seq }) => broken(`${type} comes after the end of run ${run}`, `seq ${seq}`));
  });
}

function isRefusedStart(own: { type: string; details?: unknown }[], next: { details?: unknown } | undefined): boolean {
  const number = (details: unknown) => (details as { run?: number } | undefined)?.run;
  return (
    own.every(({ type }) => type === 'RunStarted' || type === 'TaskReused') &&
    number(own[0]!.details) === number(next?.details)
  );
}
