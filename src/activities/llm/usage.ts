import type { LlmModel } from './models.ts';
import type { LlmRequest } from './request.ts';

/** What calls came to. */
export interface LlmUsage {
  input_tokens: number;
  output_tokens: number;
  cost: number;
  /** The provider did not say, or not all of it. */
  estimated?: true;
}

/** About four characters to a token, in most languages and models. */
const CHARACTERS = 4;
const OUTPUT_TOKENS = 1_000;

export const tokensIn = (text: string): number => Math.ceil(text.length / CHARACTERS);

export function inputTokens({ messages, output }: LlmRequest): number {
  const schema = output ? JSON.stringify(output.schema) : '';
  return tokensIn(messages.map(({ content }) => content).join('') + schema);
}

/** What a call may come to: reserved before it is made. */
export function estimate(model: LlmModel, request: LlmRequest): LlmUsage {
  const output = Math.min(request.max_output_tokens ?? OUTPUT_TOKENS, model.context ?? Number.POSITIVE_INFINITY);
  return usage(model, inputTokens(request), output, true);
}

export function usage(model: LlmModel, input_tokens: number, output_tokens: number, estimated: boolean): LlmUsage {
  const cost = (input_tokens * model.input_cost + output_tokens * model.output_cost) / 1e6;
  return { input_tokens, output_tokens, cost: rounded(cost), ...(estimated && { estimated }) };
}

export const NOTHING: LlmUsage = { input_tokens: 0, output_tokens: 0, cost: 0 };

export const plus = (a: LlmUsage, b: LlmUsage): LlmUsage => ({
  input_tokens: a.input_tokens + b.input_tokens,
  output_tokens: a.output_tokens + b.output_tokens,
  cost: rounded(a.cost + b.cost),
  ...((a.estimated || b.estimated) && { estimated: true }),
});

/** Sums of money stay free of what binary fractions add. */
const rounded = (cost: number): number => Number(cost.toFixed(9));
