import type OpenAI from 'openai';
import type { ChatCompletionCreateParamsStreaming } from 'openai/resources/chat/completions';
import { Agent, fetch } from 'undici';
import type { JsonObject } from '../../plan/json.ts';
import { TaskFailure } from '../kind.ts';
import type { LlmModel } from './models.ts';
import type { LlmRequest } from './request.ts';
import { inputTokens, type LlmUsage, tokensIn, usage } from './usage.ts';

export interface LlmAnswer {
  text: string;
  /** The model as the provider names it. */
  model: string;
  /** Why it ended: `stop`, or `length` where it was cut. */
  finish_reason: string;
  usage: LlmUsage;
}

interface Call {
  signal: AbortSignal;
  /** Sent along, so that a provider that knows it answers a repeated question once. */
  idempotencyKey: string;
  onText(text: string): void;
}

/** One question, one answer, streamed. Throws what the client throws; a stream that just ends is cut off. */
export async function callModel(model: LlmModel, request: LlmRequest, call: Call): Promise<LlmAnswer> {
  const client = await clientOf(model);
  const stream = await client.chat.completions.create(parameters(model, request), {
    signal: call.signal,
    headers: { 'Idempotency-Key': call.idempotencyKey },
  });
  let text = '';
  let refusal = '';
  let finish: string | null = null;
  let name = model.model;
  let counted: { prompt_tokens: number; completion_tokens: number } | null | undefined;
  for await (const { choices, usage, model } of stream) {
    const [choice] = choices ?? [];
    const piece = choice?.delta?.content ?? '';
    text += piece;
    refusal += choice?.delta?.refusal ?? '';
    finish = choice?.finish_reason ?? finish;
    name = model || name;
    counted = usage ?? counted;
    if (piece) call.onText(piece);
  }
  // The client ends a stream that is aborted as if it were over.
  call.signal.throwIfAborted();
  if (finish === null) throw new CutOff(counted ? usageOf(model, counted) : undefined);
  const came = counted ? usageOf(model, counted) : usage(model, inputTokens(request), tokensIn(text + refusal), true);
  if (refusal) throw new Refused(refusal, came);
  return { text, model: name, finish_reason: finish, usage: came };
}

/** The connection ended before the answer did. */
export class CutOff extends Error {
  readonly usage: LlmUsage | undefined;
  constructor(usage?: LlmUsage) {
    super('the answer of the model was cut off');
    this.usage = usage;
  }
}

/** The model would not answer; it is paid all the same. */
export class Refused extends TaskFailure {
  readonly usage: LlmUsage;
  constructor(refusal: string, usage: LlmUsage) {
    super(`the model refused: ${refusal}`, { final: 'hopeless' });
    this.usage = usage;
  }
}

const usageOf = (model: LlmModel, counted: { prompt_tokens: number; completion_tokens: number }): LlmUsage =>
  usage(model, counted.prompt_tokens ?? 0, counted.completion_tokens ?? 0, false);

/** One client per place and key: connections are kept. */
const clients = new Map<string, Promise<OpenAI>>();

function clientOf(model: LlmModel): Promise<OpenAI> {
  const key = model.key();
  const name = JSON.stringify([model.base_url, key]);
  const made = clients.get(name) ?? makeClient(model.base_url, key);
  clients.set(name, made);
  return made;
}

/** Loaded with the first call: not every engine, and no command line, needs it. Nothing is taken from variables of its own. */
async function makeClient(baseURL: string, key: string | undefined): Promise<OpenAI> {
  const { default: Client } = await import('openai');
  // A task has a time-out of its own; a model that thinks for ten minutes is not gone.
  const dispatcher = new Agent({ headersTimeout: 0, bodyTimeout: 0 });
  return new Client({
    baseURL,
    apiKey: key ?? 'none',
    adminAPIKey: null,
    organization: null,
    project: null,
    maxRetries: 0,
    timeout: 2 ** 31 - 1,
    logLevel: 'off',
    fetch: fetch as unknown as typeof globalThis.fetch,
    fetchOptions: { dispatcher } as object,
  });
}

function parameters({ model, base_url }: LlmModel, request: LlmRequest): ChatCompletionCreateParamsStreaming {
  const { messages, output, temperature, max_output_tokens: most } = request;
  return {
    model,
    messages,
    stream: true,
    stream_options: { include_usage: true },
    ...(temperature !== undefined && { temperature }),
    ...(most !== undefined && { [mostTokens(base_url)]: most }),
    ...(output && {
      response_format: {
        type: 'json_schema',
        json_schema: { name: output.name, schema: output.schema, strict: isStrict(output.schema) },
      },
    }),
  };
}

/** Newer models of OpenAI refuse the old word, and most other servers know only that. */
const mostTokens = (baseUrl: string): 'max_tokens' | 'max_completion_tokens' =>
  new URL(baseUrl).hostname === 'api.openai.com' ? 'max_completion_tokens' : 'max_tokens';

/** Whether a provider can hold the model to it: every object says all its fields, and requires them. */
function isStrict(schema: unknown): boolean {
  if (Array.isArray(schema)) return schema.every(isStrict);
  if (typeof schema !== 'object' || schema === null) return true;
  const { properties, required, additionalProperties } = schema as JsonObject;
  if (typeof properties === 'object' && properties !== null && !Array.isArray(properties)) {
    const named = Array.isArray(required) ? required : [];
    if (additionalProperties !== false || Object.keys(properties).some((name) => !named.includes(name))) return false;
  }
  return Object.values(schema).every(isStrict);
}
