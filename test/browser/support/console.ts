import { type Browser, type BrowserContext, type BrowserContextOptions, chromium, type Page } from 'playwright-core';
import { afterAll, beforeAll, expect, onTestFinished } from 'vitest';
import { freePort, http, newHome } from '../../support/engine.ts';
import { chromiumPath } from './chromium.ts';

export interface Console {
  home: ReturnType<typeof newHome>;
  url: string;
  port: number;
  api: ReturnType<typeof http>;
  browser: Browser;
  engine: Awaited<ReturnType<ReturnType<typeof newHome>['up']>>;
}

/** What a page may not say: errors of its scripts, and what its policy refused. */
const complaints = new WeakMap<Page, string[]>();

/** An engine and a browser for the tests of a file; the values are there when they run. */
export function useConsole(env: NodeJS.ProcessEnv = {}): Console {
  const it = {} as Console;
  beforeAll(async () => {
    it.home = newHome(env);
    it.port = await freePort();
    it.engine = await it.home.up(it.port);
    it.url = it.engine.url;
    it.api = http(it.url);
    it.browser = await chromium.launch({
      executablePath: chromiumPath(),
      args: ['--no-sandbox', '--disable-dev-shm-usage'],
    });
  });
  afterAll(async () => {
    await it.browser?.close();
    await it.home?.end();
  });
  return it;
}

/** A browser of its own, as of another person. Pages that complained fail the test. */
export async function newContext({ browser }: Console, options: BrowserContextOptions = {}): Promise<BrowserContext> {
  const context = await browser.newContext({ locale: 'en-GB', ...options });
  context.on('page', (page) => {
    const said: string[] = [];
    complaints.set(page, said);
    page.on('pageerror', (error) => said.push(`${error}`));
    page.on('console', (message) => {
      if (/Content.Security.Policy|Minified React error|Maximum update depth/i.test(message.text()))
        said.push(message.text());
    });
  });
  onTestFinished(async () => {
    const said = context.pages().flatMap((page) => complaints.get(page) ?? []);
    await context.close();
    expect(said).toEqual([]);
  });
  return context;
}

/** A page of the console, at a path such as `plans/ID`. */
export async function openPage(it: Console, path = '', options: BrowserContextOptions = {}): Promise<Page> {
  const page = await (await newContext(it, options)).newPage();
  await page.goto(`${it.url}/console/${path}`);
  return page;
}
