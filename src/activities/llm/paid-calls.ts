import { setTimeout as delay } from 'node:timers/promises';
import type { AttemptInput } from '../../contract/payloads.ts';
import { type AttemptContext, TaskFailure } from '../kind.ts';
import { CutOff, callModel, type LlmAnswer, Refused } from './call-model.ts';
import type { Journal } from './journal.ts';
import { callsOf, type LlmReservation, type LlmReserved, scopesOf } from './ledger.ts';
import type { LlmLog } from './llm-log.ts';
import type { LlmModel } from './models.ts';
import { LONGEST_WAIT_MS, providerFailure } from './provider-failure.ts';
import { fingerprintOf, type LlmRequest } from './request.ts';
import { estimate, inputTokens, type LlmUsage, NOTHING, plus, tokensIn, usage } from './usage.ts';

/** The calls of one attempt, each reserved before and settled after, whatever becomes of it. */
export interface PaidCalls {
  ask(request: LlmRequest): Promise<LlmAnswer>;
  /** What all of them came to until now. */
  spent(): { usage: LlmUsage; calls: number };
}

/** How long an attempt that is to end waits for the ledger. */
const ENDING_MS = 500;

export function paidCalls(
  input: AttemptInput,
  { ledger, signal, secrets, ...context }: AttemptContext,
  model: LlmModel,
  log: LlmLog,
  journal: Journal,
): PaidCalls {
  const scopes = scopesOf(input);
  const calledBy = callsOf(input);
  let n = journal.last;
  let all = NOTHING;
  let calls = 0;
  let waited = 0;

  /** Settled by its id once, however often it is told: the next dispatch may tell it again. */
  async function settle(id: string, came: LlmUsage): Promise<void> {
    all = plus(all, came);
    const told = ledger.settle({ id, tokens: came.input_tokens + came.output_tokens, ...came, scopes });
    // What was answered is not lost for the ledger's sake: the reservation counts in its place.
    const done = told.catch((error: Error) => log.note(`not counted yet: ${error.message}`));
    await (signal.aborted ? Promise.race([done, delay(ENDING_MS)]) : done);
  }

  async function once(request: LlmRequest, fingerprint: string): Promise<LlmAnswer | { again_in_ms: number }> {
    n += 1;
    const id = `${calledBy}#${input.attempt}.${input.dispatch}.${n}`;
    await reserve(id, request);
    let text = '';
    calls += 1;
    const began = performance.now();
    context.onLlmCall();
    const answer = await callModel(model, request, {
      signal,
      idempotencyKey: `${calledBy}#${input.attempt}-${fingerprint.slice(0, 16)}`,
      onText(piece) {
        text += piece;
        context.onOutput();
        log.text(piece);
      },
    }).catch(async (error: unknown) => {
      await settle(id, cameOf(error, request, text));
      signal.throwIfAborted();
      log.note(`failed: ${error instanceof Error ? error.message : String(error)}`);
      const means = providerFailure(error, Date.now());
      if ('failure' in means) throw means.failure;
      return means;
    });
    context.onLlmCall();
    if ('again_in_ms' in answer) return answer;
    const masked = { ...answer, text: secrets.mask.text(answer.text) };
    // In this order: of an answer that is counted and not kept, the same would be asked and counted again, under another id.
    await journal.keep(n, fingerprint, { id, answer: masked });
    context.onKept();
    await settle(id, answer.usage);
    log.note(`${inWords(answer)}, ${Math.round(performance.now() - began)} ms`);
    return masked;
  }

  async function reserve(id: string, request: LlmRequest): Promise<void> {
    const { input_tokens, output_tokens, cost } = estimate(model, request);
    const asked = { id, tokens: input_tokens + output_tokens, cost, scopes };
    const reserved = await ledger.reserve(asked, signal).catch(async (error: unknown) => {
      // It may have been granted all the same.
      await settle(id, NOTHING);
      throw error;
    });
    if (!reserved.granted) throw limitReached(reserved, asked);
    if (!signal.aborted) return;
    await settle(id, NOTHING);
    signal.throwIfAborted();
  }

  /** A question of which something came is paid for its whole input, too. */
  function cameOf(error: unknown, request: LlmRequest, text: string): LlmUsage {
    if (error instanceof Refused) return error.usage;
    if (error instanceof CutOff && error.usage) return error.usage;
    return text === '' ? NOTHING : usage(model, inputTokens(request), tokensIn(text), true);
  }

  return {
    async ask(request) {
      const fingerprint = fingerprintOf(model.model, request);
      const paid = journal.take(fingerprint);
      if (paid) {
        calls += 1;
        await settle(paid.id, paid.answer.usage);
        log.text(paid.answer.text);
        log.note(`${inWords(paid.answer)}, answered before the worker was lost`);
        return paid.answer;
      }
      for (;;) {
        const answer = await once(request, fingerprint);
        if (!('again_in_ms' in answer)) return answer;
        waited += Math.max(answer.again_in_ms, 100);
        if (waited > LONGEST_WAIT_MS)
          throw new TaskFailure(`the model's server asked to wait for more than ${LONGEST_WAIT_MS / 1_000} s in all`);
        log.note(`asked again in ${Math.round(answer.again_in_ms)} ms, as its server wishes`);
        await delay(Math.max(answer.again_in_ms, 100), undefined, { signal });
      }
    },
    spent: () => ({ usage: all, calls }),
  };
}

const inWords = ({ usage: { input_tokens, output_tokens, cost, estimated } }: LlmAnswer): string =>
  `${input_tokens} tokens in, ${output_tokens} out${cost > 0 ? `, cost ${cost}` : ''}${estimated ? ' (estimated)' : ''}`;

const NAMES = {
  plan: 'the budget of the plan',
  chat: "the chat's limit",
  day_tokens: "the day's limit",
  day_cost: "the day's limit",
  project: "the project's limit",
};

type Refusal = Extract<LlmReserved, { granted: false }>;
type Asked = Pick<LlmReservation, 'tokens' | 'cost'>;

/** All that was asked for is told: once this limit is raised, another may be in the way. */
function limitReached({ limit, spent, max, needed, unit }: Refusal, { tokens, cost }: Asked): TaskFailure {
  const what = unit === 'tokens' ? 'tokens' : 'in money';
  return new TaskFailure(
    `${NAMES[limit]} is reached: ${spent} of ${max} ${what} are spent or reserved, and the next call may take ${needed}`,
    { final: 'limit', details: { limit, spent, max, needed, unit, tokens, cost } },
  );
}
