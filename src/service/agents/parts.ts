import type { Client } from '@temporalio/client';
import type { LedgerView } from '../../contract/ledger-payloads.ts';
import type { Place } from '../../contract/payloads.ts';
import type { Caller } from '../caller.ts';
import type { ReadPlan } from '../read-plan.ts';
import type { PlanService } from '../service.ts';

/** How pipelines are made. */
export interface PipelineSettings {
  /** A directory of templates of the user's own. */
  own: string | undefined;
  /** That of the shipped ones. */
  shipped: string;
  /** What the build check runs; none is made without. */
  buildCommand: string | undefined;
}

/** What the agents' use cases stand on: the plans' own, for a pipeline is a plan. */
export type AgentsParts = Pick<
  PlanService,
  'create' | 'read' | 'command' | 'outcome' | 'givenInputs' | 'output' | 'follow' | 'subscribe'
> & {
  client: Client;
  settings: PipelineSettings;
  place: Place;
  /** Throws COST_LIMIT while the limit that holds a plan would hold it again. */
  mayGoOn(caller: Caller, view: ReadPlan): Promise<void>;
  ledger(caller: Caller, seen: { plan?: string; chat?: string; project?: string }): Promise<LedgerView>;
};
