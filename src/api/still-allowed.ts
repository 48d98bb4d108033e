import { asFault, Fault } from '../faults.ts';
import type { Caller } from '../service/caller.ts';

/** Who calls; asked again while a connection lasts. */
export type Recheck = () => Caller | Promise<Caller>;
/** A key may be revoked and a token expire while a connection lasts: whoever opened it is asked for so often. */
export const RECHECK_MS = 30_000;

/** Undefined while the caller is who it was; else why not. What only cannot be asked now changes nothing. */
export async function noLongerAllowed(recheck: Recheck, was: Caller): Promise<Fault | undefined> {
  try {
    const { principal, permissions } = await recheck();
    const same = principal.id === was.principal.id && principal.org_id === was.principal.org_id;
    if (same && was.permissions.every((permission) => permissions.includes(permission))) return undefined;
    return new Fault('PLAN_FORBIDDEN', 'the permissions are not what they were');
  } catch (error) {
    const fault = asFault(error);
    return fault.code === 'UNAUTHENTICATED' || fault.code === 'PLAN_FORBIDDEN' ? fault : undefined;
  }
}
