import type { Principal } from '../contract/payloads.ts';
import { Fault } from '../faults.ts';

export const PERMISSIONS = ['plan:read', 'plan:create', 'plan:run_commands', 'plan:approve', 'admin'] as const;
export type Permission = (typeof PERMISSIONS)[number];

/** Who calls the service, through which surface, and what they may do. */
export interface Caller {
  principal: Principal;
  permissions: readonly Permission[];
  /** Surface and tool, such as `rest` or `cli run`; recorded with what they start. */
  trigger: string;
  /** When they have to sign in again, ms since the epoch; absent = never. Whoever keeps a connection open for them ends it then. */
  expires_at?: number;
}

/** The user of this machine, where no authentication is configured. */
export const localCaller = (trigger: string): Caller => ({
  principal: { id: 'local', name: process.env.USER || 'local', org_id: 'local' },
  permissions: PERMISSIONS,
  trigger,
});

/** Whether the caller has the permission; `admin` has all. */
export const mayDo = ({ permissions }: Caller, needed: Permission): boolean =>
  permissions.includes(needed) || permissions.includes('admin');

/** Throws PLAN_FORBIDDEN unless the caller has the permission. */
export function mustHave(caller: Caller, needed: Permission): void {
  if (mayDo(caller, needed)) return;
  throw new Fault('PLAN_FORBIDDEN', `${caller.principal.name} does not have the permission ${needed}`);
}
