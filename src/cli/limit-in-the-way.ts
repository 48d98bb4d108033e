import type { ChatStatus } from '../service/agents/run-record.ts';
import { LIMIT_FIELD, type Over } from './render/raise-limit.ts';
import type { Engine } from './with-engine.ts';

/** The limit that holds the pipeline of a chat, as it is now; undefined when there is none, or it has been raised far enough since. */
export async function limitInTheWay(
  { service, caller }: Engine,
  { errorType, interruptedPipelineId }: ChatStatus,
): Promise<Over | undefined> {
  if (errorType !== 'cost_limit' || interruptedPipelineId === null) return undefined;
  const { hold } = await service.read(caller, interruptedPipelineId);
  const { limit, unit = 'tokens', spent, needed = 1 } = hold?.details ?? {};
  if (limit === undefined || spent === undefined) return undefined;
  const field = LIMIT_FIELD[limit];
  const max = field
    ? (await service.limits(caller)).limits[field]
    : (await service.budget(caller, interruptedPipelineId)).budget[`max_${unit}`];
  const needs = spent + needed;
  return max === null || needs <= max ? undefined : { limit, unit, max, needs };
}
