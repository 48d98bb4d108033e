import { v5 as uuidv5, validate } from 'uuid';
import { Fault } from '../faults.ts';

const NAMESPACE = '5b0d5d1e-8f0a-5b43-9a0e-6c2f6a0d3c11';

/** The plan id of the n-th enrollment of a key: contenders for the same n have the same id, and Temporal lets one win. */
export const enrollmentId = (orgId: string, key: string, n: number): string =>
  uuidv5(JSON.stringify(['enrollment', orgId, key, n]), NAMESPACE);

/** The plan id of an `Idempotency-Key`: the same caller's same key is the same plan. */
export const idempotentId = (orgId: string, principalId: string, key: string): string =>
  uuidv5(JSON.stringify(['idempotency', orgId, principalId, key]), NAMESPACE);

/** The plan id of a session: its readable id is all that anybody needs to find it. */
export const sessionPlanId = (orgId: string, sessionId: string): string =>
  uuidv5(JSON.stringify(['session', orgId, sessionId]), NAMESPACE);

/** The plan id of an operation that was asked for with a request id: asked again, it is the same. */
export const operationPlanId = (session: string, requestId: string): string =>
  uuidv5(JSON.stringify(['operation', session, requestId]), NAMESPACE);

/** The plan id of the rows after those that a step of a plan has read: whoever asks for them, they are read once. */
export const pagePlanId = (orgId: string, planId: string, node: string): string =>
  uuidv5(JSON.stringify(['page', orgId, planId, node]), NAMESPACE);

export const isPlanId = (id: string): boolean => validate(id);

/** A malformed id names no plan. */
export function mustBePlanId(id: string): string {
  if (!isPlanId(id)) throw new Fault('PLAN_NOT_FOUND', `there is no plan "${id.slice(0, 80)}"; a plan id is a UUID`);
  return id.toLowerCase();
}
