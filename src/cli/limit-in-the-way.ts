import { Fault } from '../faults.ts';
import { LIMIT_FIELD } from '../plan/limit-fields.ts';
import type { ChatStatus } from '../service/agents/run-record.ts';
import type { Cli } from './cli.ts';
import { type Over, raiseBudgetCommand } from './render/raise-limit.ts';
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

/** A budget that keeps the pipeline of a chat from going on is refused with the command that raises it; the chat knows which plan's it is. */
export async function withBudgetCommand(
  { service, caller }: Engine,
  chatId: string,
  refused: unknown,
  cli: Pick<Cli, 'self'>,
): Promise<unknown> {
  if (!(refused instanceof Fault) || refused.limit?.limit !== 'plan') return refused;
  const { interruptedPipelineId } = await service.agents.status(caller, chatId);
  if (interruptedPipelineId === null) return refused;
  const { unit, max, missing } = refused.limit;
  const command = raiseBudgetCommand({ limit: 'plan', unit, max, needs: max + missing }, interruptedPipelineId, cli);
  return new Fault(refused.code, `${refused.message}: ${command}`, { limit: refused.limit, cause: refused });
}
