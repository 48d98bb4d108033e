import type { Caller } from '../caller.ts';

/** Whoever may start pipelines need not be allowed to read all plans, to have their message taken. */
export const reading = (caller: Caller): Caller => ({ ...caller, permissions: [...caller.permissions, 'plan:read'] });
