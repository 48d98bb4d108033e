import type { Json } from '../../plan/json.ts';
import { TaskFailure } from '../kind.ts';
import { DEFAULT_PAGES, isMethod, type Method, type RenderedWords, renderedWords } from './words.ts';

/** What is sent, and what may come back. Header names are in lower case; the URL has no user and no fragment. */
export interface HttpRequest {
  url: URL;
  method: Method;
  headers: Record<string, string>;
  body: string | undefined;
  expects(status: number): boolean;
  max_bytes: number;
  redirects: number;
  pages: PageWords | undefined;
}

/** How an answer of many pages is read: where its items stand, and what tells the next page. */
export interface PageWords {
  items: string;
  next: string;
  /** The name that the next page has in the query; without one, `next` is its URL. */
  as?: string | undefined;
  max: number;
}

/** Checks words whose expressions are filled in; what is wrong with them fails the task for good. */
export function readRequest(rendered: Json): HttpRequest {
  const { success, data, error } = renderedWords.safeParse(rendered);
  if (!success) {
    const problems = error.issues.map(({ path, message }) => `${path.join('.')} ${message}`);
    throw new TaskFailure(`http: ${problems.join('; ')}`, { final: 'invalid' });
  }
  const method = data.method.toUpperCase();
  const url = new URL(data.url);
  const headers = { ...basicAuthorization(url), ...textHeaders(data.headers) };
  url.username = '';
  url.password = '';
  url.hash = '';
  addQuery(url, data.query);
  return {
    url,
    method: isMethod(method) ? method : 'GET',
    headers: { ...contentType(data.body), ...headers },
    body: data.body === undefined ? undefined : typeof data.body === 'string' ? data.body : JSON.stringify(data.body),
    expects: expectation(data.expect),
    max_bytes: Number(data.max_bytes),
    redirects: Number(data.redirects),
    pages: data.pages && { ...data.pages, max: Number(data.pages.max ?? DEFAULT_PAGES) },
  };
}

/** `https://user:password@host/`, as every client of the web reads it. */
function basicAuthorization({ username, password }: URL): Record<string, string> {
  if (!username && !password) return {};
  const plain = [username, password].map(decoded).join(':');
  return { authorization: `Basic ${Buffer.from(plain).toString('base64')}` };
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

const textHeaders = (given: RenderedWords['headers'] = {}): Record<string, string> =>
  Object.fromEntries(
    Object.entries(given).flatMap(([name, value]) => (value === null ? [] : [[name.toLowerCase(), String(value)]])),
  );

function addQuery(url: URL, query: RenderedWords['query'] = {}): void {
  for (const [name, value] of Object.entries(query))
    for (const one of Array.isArray(value) ? value : [value])
      if (one !== null) url.searchParams.append(name, String(one));
}

function contentType(body: Json | undefined): Record<string, string> {
  if (body === undefined) return {};
  return { 'content-type': typeof body === 'string' ? 'text/plain; charset=utf-8' : 'application/json' };
}

function expectation(given: RenderedWords['expect']): (status: number) => boolean {
  const patterns = (Array.isArray(given) ? given : [given]).map((one) => String(one).toLowerCase());
  return (status) => patterns.some((one) => one === String(status) || one === `${Math.floor(status / 100)}xx`);
}
