import type { Express } from 'express';
import { answerObject, contentObject } from './answers.ts';
import { type JsonSchema, jsonSchemas, type Schemas } from './json-schema.ts';
import { type Answer, type Operation, TAGS } from './operation.ts';
import { HEADERS, PARAMETERS } from './parameters.ts';
import { problemAnswers } from './problem-answers.ts';
import { type DocumentedRoute, routesOf } from './routes.ts';

export interface OpenApi {
  openapi: '3.1.0';
  paths: Record<string, Record<string, OperationObject>>;
  components: { schemas: Record<string, JsonSchema>; [kind: string]: unknown };
  [more: string]: unknown;
}
export interface OperationObject {
  responses: Record<string, { content?: Record<string, { schema: JsonSchema }>; [more: string]: unknown }>;
  [more: string]: unknown;
}

export interface ApiFacts {
  version: string;
  /** Callers have to say who they are. */
  authenticated: boolean;
}

/** Describes the routes that the application has, in OpenAPI 3.1. */
export function openApiDocument(app: Express, { version, authenticated }: ApiFacts): OpenApi {
  const schemas = jsonSchemas();
  const paths: OpenApi['paths'] = {};
  const routes = routesOf(app);
  const links = planLinks(routes);
  for (const route of routes) {
    if (!route.operation) continue;
    const path = route.path.replace(/:(\w+)/g, '{$1}');
    paths[path] ??= {};
    paths[path][route.method] = operationObject(route, route.operation, { schemas, links, authenticated });
  }
  return {
    openapi: '3.1.0',
    info: { title: 'Holdpoint', version, description: DESCRIPTION, license: { name: 'MIT', identifier: 'MIT' } },
    servers: [{ url: '/' }],
    tags: Object.entries(TAGS).map(([name, description]) => ({ name, description })),
    paths,
    components: {
      schemas: Object.fromEntries(Object.entries(schemas.components).sort(([a], [b]) => (a < b ? -1 : 1))),
      securitySchemes: {
        bearer: {
          type: 'http',
          scheme: 'bearer',
          description:
            'An API key, or a JWT. Where no authentication is configured, only this machine is served and none is needed.',
        },
        session: {
          type: 'apiKey',
          in: 'cookie',
          name: 'holdpoint_session',
          description:
            'Set by `POST /api/session`. What changes something, and the WebSocket, takes it from pages of this server only.',
        },
      },
    },
  };
}

const DESCRIPTION =
  'Durable plans that people and agents can pause, resume, stop, retry, approve and watch. ' +
  'What is refused is a problem document (RFC 9457) with a stable `code`. Times are ISO 8601. ' +
  'Answers may have more fields in later releases.';

interface About {
  schemas: Schemas;
  links: object;
  authenticated: boolean;
}

function operationObject(route: DocumentedRoute, operation: Operation, { schemas, links, authenticated }: About) {
  const { tag, summary, description, query, headers = [], body, answers, open, headerOnly } = operation;
  const isRead = route.method === 'get' && answers[200]?.content?.['application/json'] !== undefined && !open;
  const parameters = [
    ...Array.from(route.path.matchAll(/:(\w+)/g), ([, name]) => pathParameter(name!)),
    ...(query ? queryParameters(schemas.input(query)) : []),
    ...[...headers, ...(isRead ? (['If-None-Match'] as const) : [])].map((name) => ({
      name,
      in: 'header',
      required: false,
      ...HEADERS[name],
    })),
  ];
  const own = isRead ? withEtag(answers) : answers;
  return {
    operationId: operationId(route),
    tags: [tag],
    summary,
    ...(description && { description }),
    ...(parameters.length > 0 && { parameters }),
    ...(body && { requestBody: { required: body.required, content: contentObject(body.content, schemas.input) } }),
    responses: {
      ...Object.fromEntries(
        Object.entries(own).map(
          ([status, answer]) =>
            [status, { ...answerObject(answer, schemas), ...(answer.ofPlan && { links }) }] as const,
        ),
      ),
      ...problemAnswers(route, operation, schemas),
    },
    security: open ? [] : [{ bearer: [] }, ...(headerOnly ? [] : [{ session: [] }]), ...(authenticated ? [] : [{}])],
  };
}

const withEtag = (answers: Record<number, Answer>): Record<number, Answer> => ({
  ...answers,
  200: { ...answers[200]!, headers: [...(answers[200]!.headers ?? []), 'ETag'] },
  304: { description: 'Nothing has changed since the answer with that `ETag`', headers: ['ETag'] },
});

/** From a plan that was made to everything that can be done with it. */
const planLinks = (routes: DocumentedRoute[]) =>
  Object.fromEntries(
    routes
      .filter(({ path, operation }) => operation && path.startsWith('/api/plans/:id'))
      .map((route) => operationId(route))
      .map((id) => [id, { operationId: id, parameters: { id: '$response.body#/plan_id' } }]),
  );

/** Such as `put_plans_id_pause`: stable, and a name in any language. */
const operationId = ({ method, path }: DocumentedRoute): string =>
  [method, ...path.replace(/^\/api/, '').split(/[/:.]+/)].filter(Boolean).join('_');

function pathParameter(name: string) {
  const known = PARAMETERS[name as keyof typeof PARAMETERS] ?? { schema: { type: 'string' } };
  return { name, in: 'path', required: true, ...known };
}

function queryParameters(schema: JsonSchema) {
  const { properties = {}, required = [] } = schema as { properties?: Record<string, JsonSchema>; required?: string[] };
  return Object.entries(properties).map(([name, { description, ...of }]) => ({
    name,
    in: 'query',
    required: required.includes(name),
    ...(description !== undefined && { description }),
    schema: of,
  }));
}
