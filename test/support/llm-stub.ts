import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';

interface Message {
  role: string;
  content: string | { text?: string }[];
}

/** One call as it came. */
export interface Asked {
  /** The first call is 1. */
  n: number;
  model: string;
  messages: Message[];
  system: string;
  user: string;
  schema?: object;
  headers: IncomingHttpHeaders;
  body: Record<string, unknown>;
  /** The client went away before it was answered. */
  left(): boolean;
}

/** What the model does. Tokens unless said: one per four characters. */
export type Reply =
  | {
      text: string;
      input_tokens?: number;
      output_tokens?: number;
      finish_reason?: string;
      /** The text comes in so many pieces, with so much between them. */
      pieces?: number;
      every_ms?: number;
      /** The connection ends after so many pieces. */
      cut_after?: number;
      /** As from servers that never say what was used. */
      no_usage?: true;
      refusal?: true;
    }
  | { status: number; error?: object | string; headers?: Record<string, string> }
  /** An error in the middle of a stream, as some providers tell it. */
  | { stream_error: object; text?: string }
  | 'silence'
  | 'hang_up';

type Model = (asked: Asked) => string | Reply | Promise<string | Reply>;

const textOf = ({ content }: Message): string =>
  typeof content === 'string' ? content : content.map(({ text = '' }) => text).join('');
const tokensIn = (text: string): number => Math.ceil(text.length / 4);

/** A server that speaks the protocol of OpenAI's chat completions, streamed and not, and counts what it has answered. */
export async function llmStub(model: Model = ({ user }) => `You said: ${user}`, key?: string) {
  const calls: Asked[] = [];
  /** Calls whose answers went out whole, and what they came to by the usage that was told. */
  const answered = { calls: 0, input_tokens: 0, output_tokens: 0, total_tokens: 0 };
  /** Those of them whose question, by its `Idempotency-Key`, had been answered before: a provider that knows the key does not charge them. */
  const repeated = { calls: 0, input_tokens: 0, output_tokens: 0, total_tokens: 0 };
  const keys = new Set<string>();
  let onAnswered = (_asked: Asked): void => {};
  const server = createServer(async (request, response) => {
    let raw = '';
    for await (const chunk of request) raw += chunk;
    if (request.method !== 'POST' || request.url !== '/v1/chat/completions') return fail(response, 404, 'not here');
    if (key !== undefined && request.headers.authorization !== `Bearer ${key}`)
      return fail(response, 401, {
        message: `Incorrect API key provided: ${request.headers.authorization}`,
        type: 'invalid_request_error',
        code: 'invalid_api_key',
      });
    const body = JSON.parse(raw) as Record<string, unknown> & { model: string; messages: Message[]; stream?: boolean };
    const said = (...roles: string[]) =>
      body.messages
        .filter(({ role }) => roles.includes(role))
        .map(textOf)
        .join('\n');
    const format = body.response_format as { json_schema?: { schema?: object } } | undefined;
    const asked: Asked = {
      n: calls.length + 1,
      model: body.model,
      messages: body.messages,
      system: said('system', 'developer'),
      user: said('user'),
      ...(format?.json_schema?.schema && { schema: format.json_schema.schema }),
      headers: request.headers,
      body,
      left: () => response.destroyed,
    };
    calls.push(asked);
    const given = await model(asked);
    const reply: Reply =
      typeof given === 'string' && given !== 'silence' && given !== 'hang_up' ? { text: given } : (given as Reply);
    if (reply === 'silence') return undefined;
    if (reply === 'hang_up') return request.socket.destroy();
    if ('status' in reply) return fail(response, reply.status, reply.error ?? 'no', reply.headers);
    await (body.stream ? stream(response, asked, reply) : whole(response, asked, reply));
    return undefined;
  });

  function usageOf({ messages }: Asked, reply: { text?: string; input_tokens?: number; output_tokens?: number }) {
    const prompt_tokens = reply.input_tokens ?? tokensIn(messages.map(textOf).join(''));
    const completion_tokens = reply.output_tokens ?? tokensIn(reply.text ?? '');
    return { prompt_tokens, completion_tokens, total_tokens: prompt_tokens + completion_tokens };
  }
  type Usage = ReturnType<typeof usageOf>;
  /** Counted when the last byte has left, to a client that is still there. */
  const count = (response: ServerResponse, asked: Asked, usage: Usage) =>
    response.once('finish', () => {
      const question = String(asked.headers['idempotency-key'] ?? asked.n);
      for (const counted of keys.has(question) ? [answered, repeated] : [answered]) {
        counted.calls += 1;
        counted.input_tokens += usage.prompt_tokens;
        counted.output_tokens += usage.completion_tokens;
        counted.total_tokens += usage.total_tokens;
      }
      keys.add(question);
      onAnswered(asked);
    });
  const answer = ({ n, model }: Asked, object: string, choices: object[], more: object = {}) =>
    JSON.stringify({ id: `chatcmpl-${n}`, object, created: 1_700_000_000, model, choices, ...more });

  async function whole(response: ServerResponse, asked: Asked, reply: Exclude<Reply, string | { status: number }>) {
    if ('stream_error' in reply) return fail(response, 500, reply.stream_error);
    const usage = usageOf(asked, reply);
    const message = {
      role: 'assistant',
      ...(reply.refusal ? { content: null, refusal: reply.text } : { content: reply.text }),
    };
    const choice = { index: 0, finish_reason: reply.finish_reason ?? 'stop', message };
    count(response, asked, usage);
    response.setHeader('content-type', 'application/json');
    response.end(answer(asked, 'chat.completion', [choice], reply.no_usage ? {} : { usage }));
    return undefined;
  }

  async function stream(response: ServerResponse, asked: Asked, reply: Exclude<Reply, string | { status: number }>) {
    response.setHeader('content-type', 'text/event-stream');
    const send = (text: string) => response.write(`data: ${text}\n\n`);
    const chunk = (choices: object[], more?: object) => send(answer(asked, 'chat.completion.chunk', choices, more));
    const delta = (delta: object, finish_reason: string | null = null) => chunk([{ index: 0, delta, finish_reason }]);
    delta({ role: 'assistant', content: '' });
    if ('stream_error' in reply) {
      if (reply.text) delta({ content: reply.text });
      send(JSON.stringify({ error: reply.stream_error }));
      return response.end();
    }
    const { text, pieces = 1, every_ms = 0, cut_after, refusal } = reply;
    const size = Math.max(1, Math.ceil(text.length / pieces));
    for (let at = 0, sent = 0; at < text.length; at += size, sent += 1) {
      if (sent === cut_after) return cut(response);
      if (response.destroyed) return undefined;
      delta({ [refusal ? 'refusal' : 'content']: text.slice(at, at + size) });
      if (every_ms > 0) await delay(every_ms);
    }
    if (cut_after === pieces) return cut(response);
    if (response.destroyed) return undefined;
    delta({}, reply.finish_reason ?? 'stop');
    const usage = usageOf(asked, reply);
    const options = asked.body.stream_options as { include_usage?: boolean } | undefined;
    if (options?.include_usage && !reply.no_usage) chunk([], { usage });
    count(response, asked, usage);
    response.end('data: [DONE]\n\n');
    return undefined;
  }

  /** When all that was written has left. */
  const cut = (response: ServerResponse) => response.write(': cut\n\n', () => response.destroy());

  function fail(
    response: ServerResponse,
    status: number,
    error: object | string,
    headers: Record<string, string> = {},
  ) {
    response.writeHead(status, { 'content-type': 'application/json', ...headers });
    const told = typeof error === 'string' ? { message: error, type: null, param: null, code: null } : error;
    response.end(JSON.stringify({ error: told }));
  }

  await once(server.listen(0, '127.0.0.1'), 'listening');
  return {
    base_url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    calls,
    answered,
    repeated,
    /** Told of each answer that went out whole. */
    onAnswered(told: (asked: Asked) => void) {
      onAnswered = told;
    },
    stop() {
      server.closeAllConnections();
      server.close();
    },
  };
}
export type LlmStub = Awaited<ReturnType<typeof llmStub>>;
