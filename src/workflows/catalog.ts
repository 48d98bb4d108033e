import { CancellationScope, condition } from '@temporalio/workflow';
import type { CatalogInput } from '../contract/execute-payloads.ts';

/** A catalog is what its workflow was started with: read from there, without a worker. It is there until somebody ends it. */
export async function catalog(_input: CatalogInput): Promise<void> {
  await CancellationScope.nonCancellable(() => condition(() => false));
}
