import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { asFault } from '../../faults.ts';
import type { ChatMessage } from '../../plan/chat.ts';
import type { Caller } from '../caller.ts';
import type { ReadPlan } from '../read-plan.ts';
import type { AgentsParts } from './parts.ts';
import { lastAnswer, statusOf } from './pipeline-run.ts';

/** A chat is carried over as a whole: what is longer is read at the task. */
const MOST_OF_ANSWER = 32_000;

/**
 * What a completed run says to its chat, as the message that it is. Made from the run whenever somebody reads the chat or goes on
 * with it, under an id of the run's own: so it is kept once, and needs nobody who watches.
 */
export async function answerOfRun(
  { output }: Pick<AgentsParts, 'output'>,
  caller: Caller,
  view: ReadPlan,
): Promise<ChatMessage | undefined> {
  if (statusOf(view) !== 'completed') return undefined;
  const task = lastAnswer(view);
  if (!task) return undefined;
  const found = await output(caller, view.plan_id, task.id, 'text').catch((error: unknown) => {
    if (['OUTPUT_GONE', 'OUTPUT_NOT_FOUND'].includes(asFault(error).code)) return undefined;
    throw error;
  });
  if (!found) return undefined;
  const text = 'value' in found ? String(found.value) : await readFile(join(found.file.root, found.file.path), 'utf8');
  const content = text.length > MOST_OF_ANSWER ? `${text.slice(0, MOST_OF_ANSWER)}…` : text;
  const at = Date.parse(task.ended_at ?? view.updated_at);
  return { id: `answer ${view.plan_id}`, role: 'assistant', content, at };
}
