import type { ChatStatus } from '../service/agents/run-record.ts';
import type { Engine } from './with-engine.ts';

/** What comes of the question that a pipeline asks when nobody answers in time; undefined where that is not known, or never. */
export async function unanswered(
  { service, caller }: Engine,
  { pendingCheckpoint: asked, pipelineRunId }: ChatStatus,
): Promise<string | undefined> {
  if (!asked?.expiresAt || pipelineRunId === null) return undefined;
  const { tasks } = await service.definition(caller, pipelineRunId);
  const id = asked.checkpointId.replace(/\.\d+$/, '');
  const { options, on_timeout = 'fail' } = (tasks.find((task) => task.id === id)?.with ?? {}) as Words;
  // Options may be expressions; what is asked has what they came to.
  return options && (asked.options[options.indexOf(on_timeout)] ?? on_timeout);
}

interface Words {
  options?: string[];
  on_timeout?: string;
}
