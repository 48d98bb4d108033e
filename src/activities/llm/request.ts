import { createHash } from 'node:crypto';
import type { Json, JsonObject } from '../../plan/json.ts';
import { TaskFailure } from '../kind.ts';
import { renderedWords } from './words.ts';

export interface LlmMessage {
  role: 'system' | 'user' | 'assistant';
  content: string;
}

/** What one call sends. */
export interface LlmRequest {
  messages: LlmMessage[];
  /** The JSON Schema that the answer has to fit, and what it is called there. */
  output?: { name: string; schema: JsonObject };
  temperature?: number;
  max_output_tokens?: number;
}

/** Checks words whose expressions are filled in; what is wrong with them fails the task for good. */
export function readRequest(rendered: Json, task: string): { model: string | undefined; request: LlmRequest } {
  const { success, data, error } = renderedWords.safeParse(asTexts(rendered));
  if (!success) {
    const problems = error.issues.map(({ path, message }) => `${path.join('.')} ${message}`);
    throw new TaskFailure(`llm: ${problems.join('; ')}`, { final: 'invalid' });
  }
  const { prompt, system, messages = [], model, output, temperature, max_output_tokens } = data;
  const said = typeof messages === 'string' ? [] : messages;
  return {
    model,
    request: {
      messages: [
        ...(system ? [{ role: 'system' as const, content: system }] : []),
        ...said,
        ...(prompt === undefined ? [] : [{ role: 'user' as const, content: prompt }]),
      ],
      ...(output && { output: { name: nameOf(task), schema: output as JsonObject } }),
      ...(temperature !== undefined && { temperature: Number(temperature) }),
      ...(max_output_tokens !== undefined && { max_output_tokens: Number(max_output_tokens) }),
    },
  };
}

/** What is said may be a value, such as another task's `json`: it is said as JSON. */
function asTexts(rendered: Json): Json {
  if (!isObject(rendered)) return rendered;
  const { messages } = rendered;
  const said = Array.isArray(messages)
    ? messages.map((one) => (isObject(one) ? textsIn(one, ['content']) : one))
    : messages;
  return { ...textsIn(rendered, ['prompt', 'system']), ...(said !== undefined && { messages: said }) };
}

const textsIn = (words: JsonObject, names: string[]): JsonObject =>
  Object.fromEntries(
    Object.entries(words).map(([name, value]) => [
      name,
      names.includes(name) && typeof value !== 'string' && value !== null ? JSON.stringify(value) : value,
    ]),
  );

const isObject = (value: Json): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Providers take letters, digits, "_" and "-", 64 of them. */
const nameOf = (task: string): string => task.replace(/[^\w-]/g, '_').slice(-64);

/** The same for the same question to the same model. */
export const fingerprintOf = (model: string, request: LlmRequest): string =>
  createHash('sha256')
    .update(JSON.stringify([model, request]))
    .digest('hex');
