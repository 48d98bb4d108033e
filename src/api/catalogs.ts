import { Router } from 'express';
import { z } from 'zod';
import { Fault } from '../faults.ts';
import type { PlanService } from '../service/service.ts';
import { otherMethods } from './addresses.ts';
import { readBody, textBody } from './body.ts';
import { callerIn } from './locals.ts';
import { documented, json, type Operation } from './openapi/operation.ts';
import { catalogList, catalogRegistered, catalogTaught } from './shapes/program.ts';

/** Catalogs: what there is to ask of a source, registered once and taught to agents. */
export function catalogRoutes({ execute }: PlanService): Router {
  const router = Router();
  router
    .route('/catalogs')
    .get(documented(OPERATIONS.list), async (_request, response) => {
      response.json({ catalogs: await execute.catalogs(callerIn(response)) });
    })
    .post(documented(OPERATIONS.register), readBody, async (request, response) => {
      const body = textBody(request, 'yaml', 'json');
      if (!body) throw new Fault('REQUEST_INVALID', 'the body is empty; send a catalog, as YAML or JSON');
      const { created, ...registered } = await execute.registerCatalog(callerIn(response), body.text);
      response
        .status(created ? 201 : 200)
        .location(`/catalogs/${registered.prompt_hash}`)
        .json(registered);
    })
    .all(otherMethods);
  router
    .route('/catalogs/:prompt_hash')
    .get(documented(OPERATIONS.read), async (request, response) => {
      const taught = await execute.catalog(callerIn(response), request.params.prompt_hash);
      response.vary('Accept');
      if (request.accepts(['text/markdown', 'application/json']) === 'application/json') response.json(taught);
      else response.type('text/markdown; charset=utf-8').send(taught.teaching);
    })
    .all(otherMethods);
  return router;
}

const EXAMPLE = `catalog: 1
name: pokedex
entities:
  Pokemon:
    fields: { id: integer, name: string, base_experience: integer }
    list: { http: { url: "https://api.example.org/pokemon" }, items: body.items, next: body.next, cursor: cursor, page_size: 50 }
`;

const OPERATIONS = {
  list: {
    tag: 'programs',
    summary: 'The catalogs of the organisation',
    answers: {
      200: {
        description: 'At most 1,000; one that was just registered may be missing for a second',
        content: json(catalogList),
      },
    },
  },
  register: {
    tag: 'programs',
    summary: 'Register a catalog',
    body: {
      required: true,
      content: {
        'application/yaml': { schema: z.string(), example: EXAMPLE },
        'application/json': { schema: z.record(z.string(), z.unknown()) },
      },
    },
    answers: {
      201: { description: 'It was registered', headers: ['Location'], content: json(catalogRegistered) },
      200: { description: 'It had been registered before', headers: ['Location'], content: json(catalogRegistered) },
    },
    faults: ['CATALOG_INVALID'],
  },
  read: {
    tag: 'programs',
    summary: 'What agents have to know to write programs over a catalog',
    description: 'As Markdown; with `Accept: application/json` beside its name and entities.',
    answers: {
      200: {
        description: 'The teaching text',
        content: { 'text/markdown': { schema: z.string() }, ...json(catalogTaught) },
      },
    },
  },
} satisfies Record<string, Operation>;
