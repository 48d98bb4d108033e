import { readFile, writeFile } from 'node:fs/promises';
import type { Json } from '../../plan/json.ts';
import { TaskFailure } from '../kind.ts';
import { bodyForm } from './content-types.ts';
import type { Answer } from './follow.ts';
import type { HttpRequest, PageWords } from './request.ts';
import { shownUrl } from './shown-url.ts';
import { isWebUrl } from './words.ts';

/** Sends a request, and leaves the body of its answer in the file; `before` counts the bytes of earlier pages. */
export type AskOnce = (request: HttpRequest, before: number) => Promise<{ answer: Answer; bytes: number }>;

/** Asks for page after page, each where the one before points, and leaves their items in the file, as one list. */
export async function readPages(request: HttpRequest, pages: PageWords, path: string, ask: AskOnce) {
  const items: Json[] = [];
  const asked = new Set<string>();
  let url: URL | undefined = request.url;
  for (let received = 0; ; ) {
    asked.add(url.href);
    const { answer, bytes } = await ask({ ...request, url }, received);
    received += bytes;
    const page = { answer, pages, body: await parsed(answer, path, bytes), number: asked.size };
    for (const item of itemsOf(page)) items.push(item);
    url = nextOf(request, page);
    if (!url) return { answer, count: asked.size, bytes: await write(path, items) };
    if (asked.has(url.href))
      throw failure(page, `points to a page that was read already; \`${pages.next}\` never ends`);
    if (asked.size === pages.max)
      throw failure(page, `is not the last, and pages.max allows ${pages.max}; nothing is left out in silence`);
  }
}

interface Page {
  answer: Answer;
  pages: PageWords;
  body: Json;
  /** From 1 on. */
  number: number;
}

async function parsed(answer: Answer, path: string, bytes: number): Promise<Json> {
  const type = String(answer.headers['content-type'] ?? '');
  if (bytes === 0) return null;
  const text = bodyForm(type) === 'json' ? await readFile(path, 'utf8') : '';
  try {
    return JSON.parse(text) as Json;
  } catch {
    const message = `GET ${shownUrl(answer.url)}: pages have to be JSON, and this one (${type}) is not`;
    throw new TaskFailure(message, { final: 'hopeless' });
  }
}

/** Many services leave an empty list out, so none is no mistake. */
function itemsOf(page: Page): Json[] {
  const found = valueAt(page.pages.items, page) ?? [];
  if (!Array.isArray(found)) throw failure(page, `has no list at \`${page.pages.items}\``);
  return found;
}

/** Where the next page is; undefined after the last. */
function nextOf(request: HttpRequest, page: Page): URL | undefined {
  const { pages, answer } = page;
  const found = valueAt(pages.next, page);
  if (found === undefined || found === null || found === false || found === '') return undefined;
  if (typeof found !== 'string' && typeof found !== 'number')
    throw failure(page, `has neither text nor a number at \`${pages.next}\``);
  if (pages.as !== undefined) {
    const url = new URL(request.url);
    url.searchParams.set(pages.as, String(found));
    return url;
  }
  const target = isLink(pages.next) ? linkNext(String(found)) : String(found);
  if (target === undefined) return undefined;
  const url = URL.canParse(target, answer.url.href) ? new URL(target, answer.url) : undefined;
  if (!url || !isWebUrl(url.href))
    throw failure(page, `has no URL at \`${pages.next}\`; if it is the value of a query, name that with pages.as`);
  // Headers of the task may hold secrets, which are meant for one origin alone.
  if (url.origin !== request.url.origin) throw failure(page, `points to ${url.origin}; pages stay at one origin`);
  url.hash = '';
  return url;
}

const isLink = (path: string): boolean => path.toLowerCase() === 'headers.link';

/** The target with `rel="next"` of a Link header, RFC 8288. */
function linkNext(header: string): string | undefined {
  const links = header.matchAll(/<([^>]*)>((?:\s*;\s*[\w*-]+\s*=\s*(?:"[^"]*"|[^\s",;]+))*)/g);
  return [...links].find(([, , words]) => /;\s*rel\s*=\s*("(?:[^"]*\s)?next(?:\s[^"]*)?"|next\b)/i.test(words!))?.[1];
}

/** What stands at a path such as `body.meta.next`; names that have dots themselves are found, too. */
function valueAt(path: string, { body, answer }: Page): Json | undefined {
  const [root, ...names] = path.split('.');
  if (root === 'body') return within(body, names);
  const value = answer.headers[names.join('.').toLowerCase()];
  return Array.isArray(value) ? value.join(', ') : value;
}

function within(value: Json | undefined, names: string[]): Json | undefined {
  if (names.length === 0) return value;
  if (value === null || typeof value !== 'object' || Array.isArray(value)) return undefined;
  const whole = names.join('.');
  if (Object.hasOwn(value, whole)) return value[whole];
  return Object.hasOwn(value, names[0]!) ? within(value[names[0]!], names.slice(1)) : undefined;
}

async function write(path: string, items: Json[]): Promise<number> {
  const text = JSON.stringify(items);
  await writeFile(path, text, { mode: 0o600 });
  return Buffer.byteLength(text);
}

const failure = ({ answer, number }: Page, what: string): TaskFailure =>
  new TaskFailure(`GET ${shownUrl(answer.url)}: page ${number} ${what}`, { final: 'hopeless' });
