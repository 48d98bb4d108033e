import { createRequire } from 'node:module';
import { dirname } from 'node:path';
import express, { Router } from 'express';
import { z } from 'zod';
import { otherMethods } from './addresses.ts';
import type { OpenApi } from './openapi/document.ts';
import { documented, json, type Operation } from './openapi/operation.ts';

/** Nothing from elsewhere; styles inside the page are how Swagger UI draws. */
const CSP =
  "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; connect-src 'self'; " +
  "base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

const ASSETS = ['swagger-ui.css', 'swagger-ui-bundle.js', 'favicon-32x32.png'];

/** The description of this API, and a page that shows it. */
export function docsRoutes(describe: () => OpenApi): Router {
  const router = Router();
  let described: OpenApi | undefined;
  router
    .route('/openapi.json')
    .get(documented(OPERATIONS.description), (_request, response) => {
      described ??= describe();
      response.json(described);
    })
    .all(otherMethods);
  router
    .route('/docs')
    .get(documented(OPERATIONS.page), (_request, response) => {
      response.set('Content-Security-Policy', CSP).type('html').send(PAGE);
    })
    .all(otherMethods);
  const assets = dirname(createRequire(import.meta.url).resolve('swagger-ui-dist/package.json'));
  const files = express.static(assets, { index: false, redirect: false, maxAge: '1h' });
  router.use('/docs/assets', (request, response, next) => {
    if (request.path === '/start.js') response.type('js').send(START);
    else if (ASSETS.includes(request.path.slice(1))) files(request, response, next);
    else next();
  });
  return router;
}

const PAGE = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Holdpoint API</title>
<link rel="stylesheet" href="/docs/assets/swagger-ui.css">
<link rel="icon" href="/docs/assets/favicon-32x32.png">
</head>
<body>
<div id="api"><noscript>The description itself is at /openapi.json.</noscript></div>
<script src="/docs/assets/swagger-ui-bundle.js"></script>
<script src="/docs/assets/start.js"></script>
</body>
</html>
`;

const START =
  "SwaggerUIBundle({ url: '/openapi.json', dom_id: '#api', deepLinking: true, validatorUrl: null, supportedSubmitMethods: ['get', 'put', 'post', 'delete'] });\n";

const OPERATIONS = {
  description: {
    tag: 'service',
    summary: 'This description',
    open: true,
    answers: { 200: { description: 'OpenAPI 3.1', content: json(z.record(z.string(), z.json())) } },
  },
  page: {
    tag: 'service',
    summary: 'A page that shows this description',
    open: true,
    answers: { 200: { description: 'HTML', content: { 'text/html': { schema: z.string() } } } },
  },
} satisfies Record<string, Operation>;
