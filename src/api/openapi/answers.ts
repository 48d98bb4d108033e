import type { JsonSchema, Schemas } from './json-schema.ts';
import { type Answer, type Body, RESPONSE_HEADERS } from './operation.ts';

const ALWAYS = { 'X-Request-Id': 'Names the request, as in the log' };

export function answerObject({ description, headers = [], content }: Answer, schemas: Schemas) {
  const named = { ...ALWAYS, ...Object.fromEntries(headers.map((name) => [name, RESPONSE_HEADERS[name]])) };
  return {
    description,
    headers: Object.fromEntries(
      Object.entries(named).map(([name, text]) => [name, { description: text, schema: { type: 'string' } }]),
    ),
    ...(content && { content: contentObject(content, schemas.output) }),
  };
}

export const contentObject = (content: Body['content'], convert: Schemas['input']) =>
  Object.fromEntries(
    Object.entries(content).map(([type, { schema, example }]): [string, { schema: JsonSchema; example?: unknown }] => [
      type,
      { schema: convert(schema), ...(example !== undefined && { example }) },
    ]),
  );
