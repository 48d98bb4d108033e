import { NEEDS_ATTENTION, PLAN_STATUSES, type PlanStatus } from '../../plan/lifecycle.ts';

/** What the list's address says: its filters, as the API has them. */
export interface ListSearch {
  /** States, separated by commas. */
  state?: string;
  name?: string;
  mine?: true;
  attention?: true;
  /** `KEY=VALUE` each. */
  label?: string[];
}

/** Reads them; what is no filter is left out. */
export function listSearch(search: Record<string, unknown>): ListSearch {
  const words = texts(search.state).flatMap((text) => text.split(','));
  const state = PLAN_STATUSES.filter((status) => words.includes(status)).join(',');
  const name = texts(search.name)[0]?.trim() ?? '';
  const label = texts(search.label).filter((text) => text.indexOf('=') > 0);
  return {
    ...(state !== '' && { state }),
    ...(name !== '' && { name }),
    ...(search.mine === true && { mine: true }),
    ...(search.attention === true && { attention: true }),
    ...(label.length > 0 && { label }),
  };
}

/** A search that looks like a number is read as one. */
const texts = (value: unknown): string[] =>
  [value].flat().flatMap((each) => (typeof each === 'string' || typeof each === 'number' ? [String(each)] : []));

export const statesOf = ({ state }: ListSearch): PlanStatus[] => (state?.split(',') ?? []) as PlanStatus[];

export const isFiltered = (search: ListSearch): boolean => Object.values(search).some((value) => value !== undefined);

/** The same as the API's query. */
export const queryOf = ({ state, name, mine, attention, label }: ListSearch) => ({
  state,
  name_prefix: name,
  mine,
  needs_attention: attention,
  label,
});

/** Whether a plan that is in this state now may be in the list; who owns it and its name do not change by themselves. */
export function allowsState(search: ListSearch, status: PlanStatus): boolean {
  const states = statesOf(search);
  if (states.length > 0 && !states.includes(status)) return false;
  return !search.attention || (NEEDS_ATTENTION as readonly PlanStatus[]).includes(status);
}

const PLAN_ID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** The plan that is meant where its id stands in place of a name. */
export const planIdIn = (text: string): string | undefined =>
  PLAN_ID.test(text.trim()) ? text.trim().toLowerCase() : undefined;
