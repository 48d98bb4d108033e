import { type Agent, type Dispatcher, request as send } from 'undici';
import { TaskFailure } from '../kind.ts';
import type { Mask } from '../masking.ts';
import type { HttpRequest } from './request.ts';
import { shownUrl } from './shown-url.ts';
import { isWebUrl, type Method } from './words.ts';

export interface Answer {
  method: Method;
  url: URL;
  status: number;
  headers: Dispatcher.ResponseData['headers'];
  body: Dispatcher.ResponseData['body'];
  /** What of the body nobody may read. */
  mask: Mask;
}

export interface Exchange {
  agent: Agent;
  signal: AbortSignal;
  /** Sent with every method that may change something, so that the receiver can drop what it has seen. */
  idempotencyKey: string;
  log(line: string): void;
  mask: Mask;
}

type Hop = Pick<HttpRequest, 'url' | 'method' | 'headers' | 'body' | 'max_bytes'>;

const REDIRECTS = [301, 302, 303, 307, 308];
/** What was meant for one origin alone. */
const FOR_ONE_ORIGIN = ['authorization', 'cookie', 'proxy-authorization', 'host'];

/** Sends a request, and goes where its answers point, each time through the agent's checks; gives the last answer. */
export async function follow(request: HttpRequest, exchange: Exchange): Promise<Answer> {
  let hop: Hop = request;
  for (let followed = 0; ; followed++) {
    const answer = await ask(hop, exchange);
    const next = request.redirects === 0 || request.expects(answer.status) ? undefined : nextHop(hop, answer);
    if (!next) return answer;
    answer.body.destroy();
    exchange.log(`${hop.method} ${shownUrl(hop.url)} → ${answer.status} to ${shownUrl(next.url)}`);
    if (followed === request.redirects)
      throw new TaskFailure(`${shownUrl(request.url)} redirects more than ${request.redirects} times`, {
        final: 'hopeless',
      });
    hop = next;
  }
}

async function ask({ url, method, headers, body, max_bytes }: Hop, exchange: Exchange): Promise<Answer> {
  const { agent, signal, idempotencyKey, mask } = exchange;
  const own = {
    'user-agent': 'holdpoint',
    'accept-encoding': 'gzip, br',
    ...(method !== 'GET' && method !== 'HEAD' && { 'idempotency-key': idempotencyKey }),
  };
  try {
    const answer = await send(url, {
      dispatcher: agent,
      signal,
      method,
      headers: { ...own, ...headers },
      body,
      // An answer is never held back: undici fails an assertion that nobody can catch when a server closes its connection then.
      highWaterMark: max_bytes + 1,
    });
    // Whether or not somebody reads it, an answer that breaks off must not bring the worker down.
    answer.body.on('error', () => {});
    return { method, url, status: answer.statusCode, headers: answer.headers, body: answer.body, mask };
  } catch (error) {
    signal.throwIfAborted();
    const final = error instanceof TaskFailure && error.why;
    throw new TaskFailure(`${method} ${shownUrl(url)}: ${reasonOf(error)}`, { final });
  }
}

/** Where an answer sends the client, and with what; undefined when it does not. */
function nextHop(hop: Hop, { status, headers: { location } }: Answer): Hop | undefined {
  const { url, method, headers } = hop;
  if (!REDIRECTS.includes(status) || typeof location !== 'string') return undefined;
  const target = URL.canParse(location, url.href) ? new URL(location, url) : undefined;
  if (!target || !isWebUrl(target.href)) {
    const where = target ? `an address of ${target.protocol}` : 'what is no URL';
    throw new TaskFailure(`${shownUrl(url)} redirects to ${where}, and tasks may reach http and https only`, {
      final: 'hopeless',
    });
  }
  target.username = '';
  target.password = '';
  target.hash = '';
  const kept = target.origin === url.origin ? headers : without(headers, (name) => FOR_ONE_ORIGIN.includes(name));
  const asGet = (status === 303 && method !== 'HEAD') || (status <= 302 && method === 'POST');
  if (!asGet) return { ...hop, url: target, headers: kept };
  const bare = without(kept, (name) => name.startsWith('content-'));
  return { ...hop, url: target, method: 'GET', headers: bare, body: undefined };
}

const without = (headers: Record<string, string>, drop: (name: string) => boolean): Record<string, string> =>
  Object.fromEntries(Object.entries(headers).filter(([name]) => !drop(name)));

/** Errors of sockets hide what happened in a code, or in the errors of each address tried. */
export function reasonOf(error: unknown): string {
  if (error instanceof AggregateError && error.errors.length > 0) return reasonOf(error.errors[0]);
  if (!(error instanceof Error)) return String(error);
  return error.message || String((error as NodeJS.ErrnoException).code ?? error.name);
}
