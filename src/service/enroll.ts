import type { Client } from '@temporalio/client';
import { workflowId } from '../contract/names.ts';
import { SEARCH_ATTRIBUTES } from '../contract/search-attributes.ts';
import { Fault } from '../faults.ts';
import { isTerminal } from '../plan/lifecycle.ts';
import { type Described, describePlan } from './described.ts';
import { enrollmentId } from './ids.ts';
import type { Enrollment } from './start-workflow.ts';
import { quoted, visiblePlans } from './visible-plans.ts';

export const ENROLLMENT_POLICIES = ['once', 'multiple'] as const;
export const LONGEST_KEY = 200;

/** `once` is blocked by any plan of the key, `multiple` only by one that is active; the new request's policy counts. */
export type EnrollmentRequest = Omit<Enrollment, 'n'>;

/** Tries to start the n-th plan of the key; gives what is there instead. */
type Start = (plan_id: string, enrollment: Enrollment) => Promise<Described | undefined>;

/**
 * Starts the next plan of a key. Contenders all try the same next number, and Temporal lets one win. Which number that is the
 * list tells; where the list is behind, what Temporal itself says of each number.
 */
export async function enroll(client: Client, org_id: string, request: EnrollmentRequest, start: Start) {
  const { key, policy } = request;
  mustBeKey(key);
  const describe = (n: number) => describeNumber(client, org_id, key, n);
  const mustNotBlock = (n: number, found: Described | undefined) => {
    if (found && (policy === 'once' || (found.open && !isTerminal(found.status))))
      throw blocked(request, enrollmentId(org_id, key, n), found);
  };
  const listed = await listedNumbers(client, org_id, key);
  // Lists are behind by a moment: what looks active may have ended.
  for (const { n, open } of listed) if (open || policy === 'once') mustNotBlock(n, await describe(n));
  let n = Math.max(0, ...listed.map((plan) => plan.n)) + 1;
  for (;;) {
    const enrollment = { key, policy, n };
    const plan_id = enrollmentId(org_id, key, n);
    const existing = await start(plan_id, enrollment);
    if (!existing) return { plan_id, enrollment };
    mustNotBlock(n, existing);
    const last = await lastKnown(n, describe);
    mustNotBlock(last, await describe(last));
    n = last + 1;
  }
}

function blocked({ key, policy }: EnrollmentRequest, plan_id: string, { status, open }: Described): Fault {
  const is = open ? `is active (${status})` : `exists (${status})`;
  return new Fault('ENROLLMENT_BLOCKED', `"${key}" is blocked by plan ${plan_id}, which ${is}; policy ${policy}`, {
    blocked_by: { plan_id, state: { status } },
  });
}

/** The newest numbers of the key, as far as the list has them; those that are active are all among them. */
export async function listedNumbers(
  client: Client,
  orgId: string,
  key: string,
): Promise<{ n: number; open: boolean }[]> {
  const { plans } = await visiblePlans(client, orgId, [`${KEY} = ${quoted(key)}`], 100);
  return plans.flatMap(({ facts, open }) => (facts.enrollment?.key === key ? [{ n: facts.enrollment.n, open }] : []));
}

const KEY = SEARCH_ATTRIBUTES.enrollment.name;

function mustBeKey(key: string): void {
  const fits = key.length > 0 && key.length <= LONGEST_KEY && !/[\p{Cc}\p{Cs}]/u.test(key);
  if (!fits)
    throw new Fault(
      'REQUEST_INVALID',
      `enrollment.key: give 1 to ${LONGEST_KEY} characters, none of them a control character`,
    );
}

/** The last number of the key that exists, from one that does: in about 2·log₂ questions, however many there are. */
export async function lastKnown(
  from: number,
  describe: (n: number) => Promise<Described | undefined>,
): Promise<number> {
  let [known, step] = [from, 1];
  while (await describe(known + step)) {
    known += step;
    step *= 2;
  }
  let free = known + step;
  while (free - known > 1) {
    const middle = Math.floor((known + free) / 2);
    if (await describe(middle)) known = middle;
    else free = middle;
  }
  return known;
}

/** Undefined when there is no plan of that number. */
export async function describeNumber(
  client: Client,
  orgId: string,
  key: string,
  n: number,
): Promise<Described | undefined> {
  const plan_id = enrollmentId(orgId, key, n);
  try {
    return await describePlan(client, workflowId(orgId, plan_id), plan_id);
  } catch (error) {
    if (error instanceof Fault && error.code === 'PLAN_NOT_FOUND') return undefined;
    throw error;
  }
}
