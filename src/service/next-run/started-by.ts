import type { Client } from '@temporalio/client';
import type { Described } from '../described.ts';
import { inputOf } from '../run-input.ts';

/** Whether the plan's present run was started by this very request. */
export async function startedBy(client: Client, id: string, { first_run_id }: Described, requestId: string) {
  const { next_run } = await inputOf(client, id, first_run_id);
  return next_run?.request_id === requestId;
}
