import { Validator } from '@cfworker/json-schema';
import type { Json, JsonObject } from '../../plan/json.ts';
import { TaskFailure } from '../kind.ts';
import type { LlmAnswer } from './call-model.ts';
import type { PaidCalls } from './paid-calls.ts';
import type { LlmMessage, LlmRequest } from './request.ts';

/** How often a model is told what was wrong with its answer. */
const MENDED = 2;
const PROBLEMS_SHOWN = 5;

/** An answer; where it has to fit a schema, one that does, asked for again with what was wrong. */
export async function fittingAnswer(
  request: LlmRequest,
  calls: PaidCalls,
): Promise<{ answer: LlmAnswer; json?: Json }> {
  const { output } = request;
  const validator = output && validatorOf(output.schema);
  const messages = [...request.messages];
  for (let times = 0; ; times++) {
    const answer = await calls.ask({ ...request, messages: [...messages] });
    if (!validator) return { answer: whole(answer) };
    const read = readJson(answer, validator);
    if ('json' in read) return { answer, json: read.json };
    if (times === MENDED)
      throw new TaskFailure(`the answer does not fit the schema, ${MENDED + 1} times: ${read.problem}`);
    messages.push(...mending(answer.text, read.problem));
  }
}

/** Without text there is nothing that could be used. */
function whole(answer: LlmAnswer): LlmAnswer {
  if (answer.text === '') throw new TaskFailure(`the model answered nothing (finish_reason ${answer.finish_reason})`);
  return answer;
}

function validatorOf(schema: JsonObject): Validator {
  const validator = new Validator(schema, '2020-12', false);
  try {
    // What its references lead to is found out by using it, before anything is paid.
    validator.validate(null);
    return validator;
  } catch (error) {
    throw new TaskFailure(`llm: output is no JSON Schema that can be used: ${(error as Error).message}`, {
      final: 'invalid',
    });
  }
}

function readJson({ text, finish_reason }: LlmAnswer, validator: Validator): { json: Json } | { problem: string } {
  let json: Json;
  try {
    json = JSON.parse(unfenced(text)) as Json;
  } catch (error) {
    const cut = finish_reason === 'length' ? ', for it was cut: max_output_tokens is too small' : '';
    return { problem: `it is not JSON (${(error as Error).message})${cut}` };
  }
  const { valid, errors } = validator.validate(json);
  if (valid) return { json };
  const own = errors.filter(({ keyword }) => keyword !== 'properties' && keyword !== 'items');
  const told = (own.length > 0 ? own : errors).slice(0, PROBLEMS_SHOWN);
  return { problem: told.map(({ instanceLocation, error }) => `${instanceLocation}: ${error}`).join(' ') };
}

/** Some models put their JSON into a block of Markdown, whatever they are told. */
const unfenced = (text: string): string => /^\s*```(?:json)?\s*\n([\s\S]*?)\n?```\s*$/.exec(text)?.[1] ?? text;

const mending = (said: string, problem: string): LlmMessage[] => [
  { role: 'assistant', content: said },
  { role: 'user', content: `That does not fit the JSON Schema: ${problem}\nAnswer again, with the JSON alone.` },
];
