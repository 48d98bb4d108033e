import { SEARCH_ATTRIBUTES } from '../contract/search-attributes.ts';
import { Fault } from '../faults.ts';
import { NEEDS_ATTENTION, PLAN_STATUSES, type PlanStatus } from '../plan/lifecycle.ts';
import { parseTime } from '../plan/time.ts';
import type { Caller } from './caller.ts';
import { quoted } from './visible-plans.ts';

/** Which plans are listed; all that is said has to hold. */
export interface ListFilters {
  /** States, separated by commas. */
  state?: string;
  /** Plans that wait for somebody. */
  needs_attention?: boolean;
  /** Plans that the caller started. */
  mine?: boolean;
  name?: string;
  name_prefix?: string;
  /** `key=value`, as in the plan file. */
  labels?: string[];
  /** The key of an enrollment. */
  enrollment?: string;
  /** ISO 8601; when the plan was made. */
  created_after?: string;
  created_before?: string;
}

/** The filters as conditions of a visibility query. Throws REQUEST_INVALID for what is none. */
export function conditionsOf(caller: Caller, filters: ListFilters): string[] {
  const given = Object.entries(filters).filter(([, value]) => value !== undefined);
  return given.flatMap(([name, value]) => {
    for (const text of [value].flat()) mustBePlain(name, text);
    return FILTERS[name as keyof ListFilters](value as never, caller);
  });
}

const is = (attribute: { name: string }, text: string) => `${attribute.name} = ${quoted(text)}`;
const anyOf = (states: readonly PlanStatus[]) => `(${states.map((state) => IN_STATE[state]).join(' OR ')})`;

const FILTERS: {
  [Name in keyof Required<ListFilters>]: (value: NonNullable<ListFilters[Name]>, caller: Caller) => string | string[];
} = {
  state: (text) => anyOf(text.split(',').map((word) => statusOf(word.trim()))),
  needs_attention: (wanted) => (wanted ? anyOf(NEEDS_ATTENTION) : []),
  mine: (wanted, { principal }) => (wanted ? is(SEARCH_ATTRIBUTES.owner, principal.id) : []),
  name: (name) => is(SEARCH_ATTRIBUTES.plan, name),
  name_prefix: (prefix) => `${SEARCH_ATTRIBUTES.plan.name} STARTS_WITH ${quoted(prefix)}`,
  labels: (labels) => labels.map((label) => is(SEARCH_ATTRIBUTES.labels, labelOf(label))),
  enrollment: (key) => is(SEARCH_ATTRIBUTES.enrollment, key),
  created_after: (text) => `${SEARCH_ATTRIBUTES.created.name} > ${quoted(timeOf('created_after', text))}`,
  created_before: (text) => `${SEARCH_ATTRIBUTES.created.name} < ${quoted(timeOf('created_before', text))}`,
};

/** What `lastStatus` makes of the written state and of how the workflow stands, as conditions. */
const written = (state: PlanStatus) => is(SEARCH_ATTRIBUTES.state, state);
const open = (state: PlanStatus) => `(${written(state)} AND ExecutionStatus = 'Running')`;
const IN_STATE: Record<PlanStatus, string> = {
  pending_review: open('pending_review'),
  stand_by: open('stand_by'),
  awaiting_input: open('awaiting_input'),
  executing: open('executing'),
  paused: open('paused'),
  completed: `(ExecutionStatus = 'Completed' OR ${open('completed')})`,
  failed: `(${open('failed')} OR (ExecutionStatus = 'Failed' AND ${SEARCH_ATTRIBUTES.state.name} != 'stopped'))`,
  stopped: `(${written('stopped')} OR ExecutionStatus IN ('Terminated', 'TimedOut', 'Canceled'))`,
};

function statusOf(word: string): PlanStatus {
  const status = PLAN_STATUSES.find((status) => status === word);
  if (status === undefined)
    throw new Fault('REQUEST_INVALID', `state: "${word.slice(0, 80)}" is not one of ${PLAN_STATUSES.join(', ')}`);
  return status;
}

function labelOf(text: string): string {
  if (text.indexOf('=') < 1) throw new Fault('REQUEST_INVALID', `label: "${text.slice(0, 80)}": write KEY=VALUE`);
  return text;
}

function timeOf(name: string, text: string): string {
  const time = parseTime(text);
  if (time === undefined)
    throw new Fault(
      'REQUEST_INVALID',
      `${name}: "${text.slice(0, 80)}" is not a time; give one like 2026-01-31T09:00:00Z`,
    );
  return new Date(time).toISOString();
}

const LONGEST = 300;

function mustBePlain(name: string, value: string | boolean): void {
  if (typeof value !== 'string') return;
  if (value.length > LONGEST) throw new Fault('REQUEST_INVALID', `${name}: is longer than ${LONGEST} characters`);
  if (/\p{Cc}/u.test(value)) throw new Fault('REQUEST_INVALID', `${name}: has a control character in it`);
}
