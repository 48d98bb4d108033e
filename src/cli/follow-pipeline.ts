import { setTimeout as delay } from 'node:timers/promises';
import type { ChatStatus } from '../service/agents/run-record.ts';
import type { Cli } from './cli.ts';
import { executionLine } from './render/chat.ts';
import type { Engine } from './with-engine.ts';

const LOOK_MS = 250;

/** Says of each agent when it begins and how it ends, until nothing of the chat is at work or waits for an answer; undefined when aborted. */
export async function followPipeline(
  { service, caller }: Engine,
  chatId: string,
  say: (line: string) => void,
  cli: Cli,
  signal: AbortSignal,
): Promise<ChatStatus | undefined> {
  const told = new Map<string, string>();
  while (!signal.aborted) {
    const status = await service.agents.status(caller, chatId);
    for (const execution of status.executions) {
      const { agentName, status } = execution;
      if (status === 'pending' || told.get(agentName) === status) continue;
      told.set(agentName, status);
      // What is left out is no news.
      if (status !== 'skipped') say(executionLine(execution, cli));
    }
    // What is only known from before may not be so any more.
    if (status.live && (!status.running || status.pendingCheckpoint)) return status;
    await delay(LOOK_MS, undefined, { signal }).catch(() => {});
  }
  return undefined;
}
