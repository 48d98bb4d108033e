import { Validator } from '@cfworker/json-schema';
import pino from 'pino';
import { Registry } from 'prom-client';
import { expect } from 'vitest';
import packageFile from '../../package.json' with { type: 'json' };
import { createApi } from '../../src/api/api.ts';
import { type OpenApi, type OperationObject, openApiDocument } from '../../src/api/openapi/document.ts';
import type { PlanService } from '../../src/service/service.ts';

/** The application without a service behind it: its routes are what matters. */
export const bareApi = () =>
  createApi({
    service: {} as PlanService,
    logger: pino({ level: 'silent' }),
    registry: new Registry(),
    place: () => ({ env: {} }),
    mcp: async () => {},
  });

export const describedApi = (): OpenApi =>
  openApiDocument(bareApi(), { version: packageFile.version, authenticated: false });

export interface Told {
  status: number;
  headers: Record<string, string | string[] | undefined>;
  text: string;
}

/** Fails unless the API's description has such an answer to `target`, a method and a path, with such a body. */
export function mustConform(target: string, { status, headers, text }: Told): void {
  const [method, path] = target.split(' ') as [string, string];
  const operation = operationFor(method.toLowerCase(), path.split('?', 1)[0]!);
  if (!operation) return;
  const answer = operation.responses[status];
  expect(answer, `${target} is answered ${status}, which is not documented: ${text}`).toBeDefined();
  const type = `${headers['content-type'] ?? ''}`.split(';')[0]!;
  if (text === '' || method === 'HEAD') return;
  const content = answer!.content?.[type];
  expect(content, `${target} is answered ${status} as ${type}, which is not documented`).toBeDefined();
  if (!type.endsWith('json')) return;
  const { valid, errors } = validatorOf(content!.schema).validate(JSON.parse(text));
  expect(valid ? [] : errors, `${target} ${status}: ${text}`).toEqual([]);
}

let document: OpenApi | undefined;
const described = () => (document ??= describedApi());

function operationFor(method: string, path: string): OperationObject | undefined {
  for (const [template, methods] of Object.entries(described().paths).sort(fixedFirst)) {
    const pattern = new RegExp(`^${template.replace(/\{\w+\}/g, '[^/]+')}$`);
    if (pattern.test(path)) return methods[method];
  }
  return undefined;
}
const fixedFirst = ([a]: [string, unknown], [b]: [string, unknown]) => a.split('{').length - b.split('{').length;

/** The schema with the components it refers to; an object may have no more than it says, so that nothing new goes untold. */
function validatorOf(schema: object): Validator {
  const { schemas } = described().components;
  return new Validator(closed({ ...schema, components: { schemas } }) as never, '2020-12', false);
}

function closed(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(closed);
  if (typeof value !== 'object' || value === null) return value;
  const made = Object.fromEntries(Object.entries(value).map(([key, item]) => [key, closed(item)]));
  const isObject = made.type === 'object' && made.properties && made.additionalProperties === undefined;
  return isObject ? { ...made, additionalProperties: false } : made;
}
