import { expect } from 'vitest';

/** The two forms of the protocol: with `initialize`, and with everything in each request. */
export const ERAS = ['2025-03-26', '2025-06-18', '2026-07-28'] as const;
export type Era = (typeof ERAS)[number];

// biome-ignore lint/suspicious/noExplicitAny: what comes over the wire is what is tested
export type Wire = Record<string, any>;

export interface ToolAnswer {
  isError: boolean;
  body: Wire;
  links: { uri: string; name: string; mimeType: string }[];
}
interface Message {
  id?: number;
  method?: string;
  params?: Record<string, unknown>;
  result?: Wire;
  error?: { code: number; message: string };
}

interface ClientOptions {
  era?: Era;
  headers?: Record<string, string>;
  capabilities?: object;
}

let lastId = 0;

/** A client that speaks the protocol by hand, so that what is on the wire is what is tested. */
export function rpcClient(url: string, { era = '2025-06-18', headers = {}, capabilities = {} }: ClientOptions = {}) {
  const isNew = era === '2026-07-28';
  const envelope = {
    'io.modelcontextprotocol/protocolVersion': era,
    'io.modelcontextprotocol/clientInfo': { name: 'test', version: '1' },
    'io.modelcontextprotocol/clientCapabilities': capabilities,
  };

  function send(method: string, params: Wire, signal?: AbortSignal) {
    const id = ++lastId;
    const name = params.name ?? params.uri ?? params.taskId;
    return fetch(`${url}/mcp`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
        'mcp-protocol-version': era,
        ...(isNew && { 'mcp-method': method, ...(name && { 'mcp-name': name }) }),
        ...headers,
      },
      body: JSON.stringify({
        jsonrpc: '2.0',
        id,
        method,
        params: isNew ? { ...params, _meta: { ...params._meta, ...envelope } } : params,
      }),
      ...(signal && { signal }),
    });
  }

  /** Every message of the answer, the result last. */
  async function messages(method: string, params: Wire = {}, signal?: AbortSignal): Promise<Message[]> {
    const text = await (await send(method, params, signal)).text();
    if (text.startsWith('{')) return [JSON.parse(text)];
    const data = text.split('\n').filter((line) => line.startsWith('data:') && line.length > 6);
    return data.map((line) => JSON.parse(line.slice(5)));
  }

  async function rpc(method: string, params: Wire = {}, signal?: AbortSignal) {
    const { result, error } = (await messages(method, params, signal)).at(-1)!;
    if (error) throw Object.assign(new Error(error.message), error);
    return result!;
  }

  return {
    send,
    messages,
    rpc,
    async tool(name: string, args: object = {}, signal?: AbortSignal): Promise<ToolAnswer> {
      return answerOf(await rpc('tools/call', { name, arguments: args }, signal));
    },
  };
}

/** Data and text have to be the same; a refusal is text only, since clients hold data against the schema of answers. */
export function answerOf({ content, structuredContent, isError = false }: Wire): ToolAnswer {
  const body = JSON.parse(content[0].text);
  expect(structuredContent).toEqual(isError ? undefined : body);
  const links = content.filter(({ type }: { type: string }) => type === 'resource_link');
  return { isError, body, links };
}
