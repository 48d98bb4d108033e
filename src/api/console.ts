import { randomBytes } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import compression from 'compression';
import express, { type Request, type Response, Router } from 'express';

/** Where the build puts the console's pages. */
const BUILT = fileURLToPath(new URL('../../dist/console', import.meta.url));

/**
 * The web console: files of its build, and one page for every address below `/console/` that is no file. Pages are no part of
 * the API, so that its description has none of them.
 */
export function consoleRoutes(files: string = BUILT): Router {
  const pageAt = pages(files);
  const router = Router();
  router.use((request, response, next) => {
    if (!['GET', 'HEAD'].includes(request.method)) return next();
    if (request.path === '/') return response.redirect(302, 'console/');
    if (request.path === '/console') return response.redirect(302, 'console/');
    next();
  });
  router.use('/console', compression());
  const plain = { index: false, redirect: false };
  // Their names have the hash of what is in them.
  router.use('/console/assets', express.static(join(files, 'assets'), { ...plain, immutable: true, maxAge: '1y' }));
  router.use('/console', express.static(files, plain), (request, response, next) => {
    const isPage = ['GET', 'HEAD'].includes(request.method) && !request.path.startsWith('/assets/');
    if (isPage) pageAt(request, response);
    else next();
  });
  return router;
}

/**
 * What the page loads, and where it finds the API, it works out from its `<base>`, which is told relative to the address that
 * was asked for: so it works behind any prefix that a proxy takes away, with nothing to configure.
 */
function pages(files: string) {
  const file = join(files, 'index.html');
  return ({ path }: Request, response: Response): void => {
    if (!existsSync(file)) return void response.status(503).type('text').send(NOT_BUILT);
    const nonce = randomBytes(16).toString('base64');
    const depth = path.split('/').length - 2;
    const base = depth === 0 ? './' : '../'.repeat(depth);
    const head = `<head>\n    <base href="${base}" />\n    <meta name="nonce" content="${nonce}" />`;
    response
      .set('Content-Security-Policy', csp(nonce))
      .type('html')
      .send(readFileSync(file, 'utf8').replace('<head>', head));
  };
}

/** Scripts from here alone; styles from here, and those that a library adds by the nonce of this one page. */
const csp = (nonce: string): string =>
  `default-src 'none'; script-src 'self'; style-src 'self' 'nonce-${nonce}'; img-src 'self' data:; font-src 'self'; ` +
  "connect-src 'self'; worker-src 'self'; base-uri 'self'; form-action 'none'; frame-ancestors 'none'";

const NOT_BUILT = 'The console has not been built: run `npm run build`.\n';
