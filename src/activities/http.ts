import { rm } from 'node:fs/promises';
import { z } from 'zod';
import type { JsonObject } from '../plan/json.ts';
import { defineTaskKind } from '../plan/kind.ts';
import { allowedHosts } from './http/allowed-hosts.ts';
import { type Exchange, follow } from './http/follow.ts';
import { guardedAgent, type Resolve, systemResolve } from './http/guarded-agent.ts';
import { outputsOf } from './http/outputs.ts';
import { type AskOnce, readPages } from './http/pages.ts';
import { receive } from './http/receive.ts';
import { type HttpRequest, readRequest } from './http/request.ts';
import { openRequestLog } from './http/request-log.ts';
import { shownUrl } from './http/shown-url.ts';
import { unexpected } from './http/unexpected.ts';
import { DEFAULTS, fileWords, webUrl } from './http/words.ts';
import type { ActivityKind, AttemptContext } from './kind.ts';
import { renderWords } from './render-words.ts';

const words = z.union([webUrl, fileWords]).describe('Sends a request; a text is its URL');
type Words = z.infer<typeof words>;

/** Asks a web server. An answer with an expected status leaves status, headers, body and its URL; any other fails the task. */
export const http = defineTaskKind<Words, ActivityKind<Words>>({
  key: 'http',
  mode: 'activity',
  version: 1,
  words,
  plain: (given) => ({ ...DEFAULTS, ...(typeof given === 'string' ? { url: given } : given) }),
  secrets: 'expressions',
  defaults: { timeout_ms: 30_000, retry: { max_attempts: 3, delay_ms: 1_000 } },
  execute: requester(systemResolve),
});

/** Carries attempts out, with names looked up by `resolve`. */
export function requester(resolve: Resolve): ActivityKind<Words>['execute'] {
  return async (input, context) => {
    const { values, mask } = context.secrets;
    const { secrets: _, ...words } = input.with as JsonObject;
    const scope = { ...input.scope, secrets: values };
    const request = readRequest(await renderWords({ ...input, with: words, scope }, context.store));
    const log = await openRequestLog(context.planFolder, input, mask);
    const agent = guardedAgent(allowedHosts(context.allowPrivateHosts), resolve, context.signal);
    const exchange = { agent, signal: context.signal, idempotencyKey: input.idempotency_key, log: log.line, mask };
    try {
      return { outputs: await ask(request, exchange, log.bodyPath, context, input.inline_limit) };
    } catch (error) {
      log.line(`failed: ${error instanceof Error ? error.message : String(error)}`);
      throw error;
    } finally {
      await Promise.all([agent.destroy(), rm(log.bodyPath, { force: true }), log.end()]);
    }
  };
}

async function ask(
  request: HttpRequest,
  exchange: Exchange,
  path: string,
  { store, signal, secrets }: AttemptContext,
  inlineLimit: number,
): Promise<JsonObject> {
  const once: AskOnce = async (request, before) => {
    const answer = await follow(request, exchange);
    if (!request.expects(answer.status)) throw await unexpected(answer);
    const bytes = await receive(answer, path, request.max_bytes, signal, before);
    exchange.log(`${answer.method} ${shownUrl(answer.url)} → ${answer.status}, ${bytes} bytes`);
    return { answer, bytes };
  };
  const keeping = { store, inlineLimit, mask: secrets.mask };
  if (request.pages) {
    const { answer, bytes, count } = await readPages(request, request.pages, path, once);
    return { ...(await outputsOf(answer, path, bytes, keeping)), pages: count };
  }
  const { answer, bytes } = await once(request, 0);
  return await outputsOf(answer, path, bytes, keeping);
}
