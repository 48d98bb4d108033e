import type { Client } from '@temporalio/client';
import { unpack } from '../contract/packed.ts';
import type { PlanDefinition } from '../plan/definition.ts';
import type { Caller } from './caller.ts';
import { latestInput } from './latest-input.ts';

/** What a plan's latest run runs. */
export async function readDefinition(client: Client, caller: Caller, planId: string): Promise<PlanDefinition> {
  return unpack((await latestInput(client, caller, planId)).definition);
}
