import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import express from 'express';
import { expect, onTestFinished, test } from 'vitest';
import { consoleRoutes } from '../../src/api/console.ts';
import { tempDir } from '../support/world.ts';

/** A console of a few files, served behind a prefix that a proxy takes away. */
async function served(files: Record<string, string>) {
  const dir = tempDir('console');
  mkdirSync(join(dir, 'assets'));
  for (const [name, text] of Object.entries(files)) writeFileSync(join(dir, name), text);
  const app = express().use('/behind/a/prefix', consoleRoutes(dir));
  const server = app.listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  onTestFinished(() => void server.close());
  const { port } = server.address() as { port: number };
  return (path: string, init: RequestInit = {}) =>
    fetch(`http://127.0.0.1:${port}/behind/a/prefix${path}`, { redirect: 'manual', ...init });
}

const INDEX = '<html><head><title>x</title></head></html>';

test.each([
  ['/console/', './'],
  ['/console/new', './'],
  ['/console/plans/1', '../'],
  ['/console/plans/1/more', '../../'],
])('the page at %s finds its files and the API from where it is, behind any prefix', async (path, base) => {
  const get = await served({ 'index.html': INDEX });
  const answer = await get(path);
  const text = await answer.text();
  expect([answer.status, /<base href="([^"]*)"/.exec(text)?.[1]]).toEqual([200, base]);
  const url = `http://x/behind/a/prefix${path}`;
  expect(new URL(base, url).pathname).toBe('/behind/a/prefix/console/');
});

test('every page has a policy of its own: nothing from elsewhere, styles by a nonce that is never used twice', async () => {
  const get = await served({ 'index.html': INDEX });
  const pages = [await get('/console/'), await get('/console/')];
  const nonces = await Promise.all(
    pages.map(async (page) => {
      const policy = page.headers.get('content-security-policy') ?? '';
      expect(policy).toMatch(/^default-src 'none'; script-src 'self';/);
      expect(policy).not.toMatch(/unsafe|http/);
      const [, nonce = 'none'] = /name="nonce" content="([^"]+)"/.exec(await page.text()) ?? [];
      expect(policy).toContain(`'nonce-${nonce}'`);
      return nonce;
    }),
  );
  expect(new Set(nonces).size).toBe(2);
});

test('files of the build are served as they are; what is no file there is no page', async () => {
  const get = await served({ 'index.html': INDEX, 'assets/x-1.js': 'let x', 'icon.svg': '<svg/>' });
  const asset = await get('/console/assets/x-1.js');
  expect([asset.status, asset.headers.get('cache-control')]).toEqual([200, 'public, max-age=31536000, immutable']);
  expect((await get('/console/icon.svg')).headers.get('content-type')).toMatch(/svg/);
  expect((await get('/console/assets/gone-2.js')).status).toBe(404);
  expect((await get('/console/', { method: 'POST' })).status).toBe(404);
});

test('what is large is sent compressed', async () => {
  const get = await served({ 'index.html': INDEX, 'assets/x-1.js': 'let x;'.repeat(1_000) });
  const asset = await get('/console/assets/x-1.js', { headers: { 'accept-encoding': 'gzip' } });
  expect([asset.status, asset.headers.get('content-encoding')]).toEqual([200, 'gzip']);
});

test.each([
  ['/', 'console/'],
  ['/console', 'console/'],
])('%s leads to the console', async (path, to) => {
  const get = await served({ 'index.html': INDEX });
  const answer = await get(path);
  expect([answer.status, answer.headers.get('location')]).toEqual([302, to]);
});

test('without a build the page says what to do', async () => {
  const answer = await (await served({}))('/console/');
  expect([answer.status, await answer.text()]).toEqual([503, expect.stringContaining('npm run build')]);
});
