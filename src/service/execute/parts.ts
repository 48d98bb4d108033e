import type { Client } from '@temporalio/client';
import type { Surface } from '../../plan/execute-session.ts';
import type { Bus } from '../bus.ts';
import type { PlanReader } from '../plan-reader.ts';
import type { PlanService, Stores } from '../service.ts';

export interface ExecutionSettings {
  /** How long a session lives that nobody uses, and the token of a dry run. */
  sessionTtlMs: number;
  commitTtlMs: number;
  /** How long the caller of a program that nothing speaks against is kept waiting; then it is an operation. */
  patienceMs: number;
}
export const EXECUTION: ExecutionSettings = {
  sessionTtlMs: 86_400_000,
  commitTtlMs: 600_000,
  patienceMs: 25_000,
};

/** Which session of which surface: made by its first use, and found by its name alone. */
export interface SessionName {
  prompt_hash: string;
  surface: Surface;
  session: string;
}

/** What programs are run with. */
export interface ExecuteParts extends Pick<PlanService, 'events'> {
  client: Client;
  /** The same without deadlines of its own, to wait with. */
  connected: Client;
  stores: Stores;
  reader: PlanReader;
  bus: Bus;
  settings: ExecutionSettings;
}
