import { setTimeout as delay } from 'node:timers/promises';
import { isSafeNumber, parse } from 'lossless-json';
import type { AttemptInput } from '../../contract/payloads.ts';
import { formatDuration } from '../../plan/duration.ts';
import type { Json, JsonObject } from '../../plan/json.ts';
import type { GetSource, ListSource } from '../../program/dag.ts';
import { timedSignal } from '../../timed-signal.ts';
import { allowedHosts } from '../http/allowed-hosts.ts';
import { type Answer, follow } from '../http/follow.ts';
import { guardedAgent, type Resolve } from '../http/guarded-agent.ts';
import { receiveText } from '../http/receive.ts';
import { type HttpRequest, readRequest } from '../http/request.ts';
import { openRequestLog } from '../http/request-log.ts';
import { shownUrl } from '../http/shown-url.ts';
import { unexpected } from '../http/unexpected.ts';
import { DEFAULTS, isWebUrl } from '../http/words.ts';
import { type AttemptContext, TaskFailure } from '../kind.ts';
import { renderWords } from '../render-words.ts';

export interface PageSource {
  /** The body of the page that a cursor gives; of the first one for null. `number`: of the page, for messages. */
  ask(cursor: string | null, number: number): Promise<Json>;
  end(): Promise<void>;
}

export interface Asking {
  input: AttemptInput;
  context: Pick<AttemptContext, 'planFolder' | 'secrets' | 'allowPrivateHosts' | 'store' | 'onOutput'>;
  resolve: Resolve;
  signal: AbortSignal;
  /** How long one page may take, and how often and how soon it is asked for again. */
  times?: Times;
}
export interface Times {
  page_ms: number;
  /** Delays before it is asked for again; how many there are says how often. */
  again_ms: readonly number[];
}
const TIMES: Times = { page_ms: 30_000, again_ms: [500, 1_500] };

/** A source of an entity, asked as an `http` task asks, with one connection and one log for all of its pages. */
export async function openPageSource(source: ListSource | GetSource, asking: Asking): Promise<PageSource> {
  const { input, context, resolve, signal, times = TIMES } = asking;
  const { secrets, store, allowPrivateHosts, planFolder, onOutput } = context;
  const scope = { ...input.scope, secrets: secrets.values };
  const request = readRequest(await renderWords({ ...input, with: wordsOf(source), scope }, store));
  const log = await openRequestLog(planFolder, input, secrets.mask);
  const tell = sparing(log.line);
  const agent = guardedAgent(allowedHosts(allowPrivateHosts), resolve, signal);
  const once = async (page: HttpRequest, key: string): Promise<Json> => {
    const late = timedSignal(times.page_ms);
    const either = AbortSignal.any([signal, late.signal]);
    const exchange = { agent, signal: either, idempotencyKey: key, log: tell, mask: secrets.mask };
    try {
      onOutput();
      const answer = await follow(page, exchange);
      if (!page.expects(answer.status)) throw await unexpected(answer);
      const text = await receiveText(answer, page.max_bytes, either);
      tell(`${answer.method} ${shownUrl(answer.url)} → ${answer.status}, ${text.length} characters`);
      return parsed(text, answer);
    } catch (error) {
      if (!late.signal.aborted || signal.aborted) throw error;
      throw new TooLate(
        `${page.method} ${shownUrl(page.url)}: there was no whole answer within ${formatDuration(times.page_ms)}`,
      );
    } finally {
      late.clear();
      onOutput();
    }
  };
  return {
    async ask(cursor, number) {
      const page = { ...request, url: urlOf(request.url, cursor, source) };
      const key = `${input.idempotency_key}/${cursor ?? ''}`;
      for (let tried = 0; ; tried++) {
        try {
          return await once(page, key);
        } catch (error) {
          signal.throwIfAborted();
          const wait = mayAgain(error) ? times.again_ms[tried] : undefined;
          if (wait === undefined) throw number === 1 ? error : ofPage(error, number);
          tell(`failed: ${(error as Error).message}; again in ${formatDuration(wait)}`);
          await delay(wait, undefined, { signal });
        }
      }
    },
    end: async () => void (await Promise.all([agent.destroy(), log.end()])),
  };
}

function wordsOf({ http }: ListSource | GetSource): JsonObject {
  const { secrets: _, pages: __, ...words } = http;
  return { ...DEFAULTS, ...words };
}

class TooLate extends TaskFailure {}

/** What took too long once is left to the next attempt; a limit of requests, or a server that stumbled, may pass in a moment. */
const mayAgain = (error: unknown): boolean =>
  error instanceof TaskFailure && !error.final && !(error instanceof TooLate);

const ofPage = (error: unknown, number: number): unknown =>
  error instanceof TaskFailure
    ? new TaskFailure(`page ${number}: ${error.message}`, {
        final: error.why ?? false,
        ...(error.details && { details: error.details }),
      })
    : error;

/** Of numbers, those that JSON.parse might change: of many digits, or with a large exponent. */
const MAY_LOSE = /\d{16}|\d[eE]\+?\d{3}/;

/** A number that would be another one, or none, is kept as its text, as sources write theirs that know of it. */
const exact = (digits: string): number | string => (isSafeNumber(digits, { approx: true }) ? Number(digits) : digits);

function parsed(text: string, { method, url, headers }: Answer): Json {
  try {
    return MAY_LOSE.test(text) ? (parse(text, null, exact) as Json) : (JSON.parse(text) as Json);
  } catch {
    const type = headers['content-type'];
    const shown =
      text.trim() === '' ? 'it is empty' : `it begins with ${JSON.stringify(text.trimStart().slice(0, 60))}`;
    throw new TaskFailure(
      `${method} ${shownUrl(url)}: the answer is not JSON${type ? ` (${String(type)})` : ''}; ${shown}`,
      { final: 'hopeless' },
    );
  }
}

/** Where a cursor's page is: the first one's address with the cursor in it, or the cursor itself, where its parameter has no name. */
function urlOf(first: URL, cursor: string | null, source: ListSource | GetSource): URL {
  if (cursor === null) return first;
  const name = 'cursor' in source ? source.cursor : undefined;
  if (name !== undefined) {
    const url = new URL(first);
    url.searchParams.set(name, cursor);
    return url;
  }
  const url = URL.canParse(cursor, first.href) ? new URL(cursor, first) : undefined;
  if (!url || !isWebUrl(url.href))
    throw failure(
      first,
      `the next page is said to be at ${JSON.stringify(cursor.slice(0, 80))}, which is no URL; if it is the value of a query parameter, the catalog names that as \`cursor\``,
    );
  // Headers of the catalog may hold secrets, which are meant for one origin alone.
  if (url.origin !== first.origin)
    throw failure(first, `the next page is said to be at ${url.origin}; pages stay at one origin`);
  url.username = '';
  url.password = '';
  url.hash = '';
  return url;
}

const failure = (url: URL, what: string): TaskFailure =>
  new TaskFailure(`${shownUrl(url)}: ${what}`, { final: 'hopeless' });

const ALL_LINES = 1_000;

/** The first thousand lines of a log, and then every hundredth: a read may have a million pages. */
function sparing(line: (text: string) => void): (text: string) => void {
  let n = 0;
  return (text) => {
    n += 1;
    if (n <= ALL_LINES || n % 100 === 0) line(text);
  };
}
