import { z } from 'zod';
import type { AttemptInput, AttemptResult } from '../contract/payloads.ts';
import type { Json } from '../plan/json.ts';
import { defineTaskKind } from '../plan/kind.ts';
import { type ActivityKind, type AttemptContext, TaskFailure } from './kind.ts';
import { fittingAnswer } from './llm/fitting-answer.ts';
import { openJournal } from './llm/journal.ts';
import { openLlmLog } from './llm/llm-log.ts';
import { type PaidCalls, paidCalls } from './llm/paid-calls.ts';
import { readRequest } from './llm/request.ts';
import { fileWords } from './llm/words.ts';
import { renderWords } from './render-words.ts';
import { outputKeeper } from './run/output-keeper.ts';

const words = z
  .union([z.string().min(1, 'a prompt must not be empty'), fileWords])
  .describe('Asks a language model; a text is the prompt');
type Words = z.infer<typeof words>;

/** Asks a model by the protocol of OpenAI. Every call is counted before and after, and nothing is paid twice. */
export const llm = defineTaskKind<Words, ActivityKind<Words>>({
  key: 'llm',
  mode: 'activity',
  version: 1,
  words,
  plain: (given) => (typeof given === 'string' ? { prompt: given } : given) as Json,
  defaults: { timeout_ms: 600_000, retry: { max_attempts: 3, delay_ms: 1_000 } },
  execute,
});

async function execute(input: AttemptInput, context: AttemptContext): Promise<AttemptResult> {
  const { model: name, request } = readRequest(await renderWords(input, context.store), input.task);
  const model = context.models.named(name, input.model_profile);
  const opening = openJournal(context.planFolder, input);
  opening.catch(() => {});
  const log = await openLlmLog(context.planFolder, input, context.secrets.mask);
  try {
    const calls = paidCalls(input, context, model, log, await opening);
    const { answer, json } = await fittingAnswer(request, calls).catch((error: unknown) => {
      throw withSpent(error, calls);
    });
    const keeper = outputKeeper(context.store, input.inline_limit);
    const { usage, calls: count } = calls.spent();
    return {
      outputs: {
        text: await keeper.keep(answer.text),
        ...(json !== undefined && { json: await keeper.keep(json) }),
        model: answer.model,
        finish_reason: answer.finish_reason,
        usage: {
          ...usage,
          total_tokens: usage.input_tokens + usage.output_tokens,
          calls: count,
          last_call_at: Date.now(),
        },
      },
    };
  } finally {
    await log.end();
  }
}

/** A failed attempt tells what it came to; one that met a limit is made again, and tells then. */
function withSpent(error: unknown, calls: PaidCalls): unknown {
  if (!(error instanceof TaskFailure) || error.why === 'limit') return error;
  const { usage, calls: count } = calls.spent();
  if (count === 0) return error;
  const { input_tokens, output_tokens, cost } = usage;
  const spent = { input_tokens, output_tokens, cost, calls: count, last_call_at: Date.now() };
  return new TaskFailure(error.message, { final: error.why ?? false, details: { ...error.details, ...spent } });
}
