import type { IncomingMessage, ServerResponse } from 'node:http';
import { toNodeHandler } from '@modelcontextprotocol/node';
import { createMcpHandler, type Server } from '@modelcontextprotocol/server';
import type { Caller } from '../service/caller.ts';
import type { PlanService } from '../service/service.ts';
import type { Access } from './access.ts';
import { MOST_BYTES } from './most-bytes.ts';
import { createMcpServer } from './server.ts';
import { settledWaits } from './settled-waits.ts';

/** The address by which the caller came here, through a proxy or not. */
function apiOf({ headers }: IncomingMessage): string | undefined {
  const isSecure = String(headers['x-forwarded-proto'] ?? '').startsWith('https');
  return headers.host === undefined ? undefined : `${isSecure ? 'https' : 'http'}://${headers.host}`;
}

/**
 * Answers one request of Streamable HTTP for a caller who is known already: requests of the protocol without sessions (2026-07-28),
 * and of its older versions, whose `initialize` opens no session either. Nothing outlasts a request, so any engine can answer the next.
 */
export function mcpOverHttp(
  service: PlanService,
  more: Omit<Access, 'use'>,
  create: (access: Access) => Server = planServers(),
) {
  return async (request: IncomingMessage, response: ServerResponse, caller: Caller): Promise<void> => {
    const access: Access = { ...more, use: (work) => work(service, caller, apiOf(request)) };
    const handler = createMcpHandler(() => create(access), { maxRequestBodySize: MOST_BYTES, onerror: () => {} });
    // Who goes away half-way has done nothing that the log should be filled with.
    const onerror = (error: unknown) => request.socket.destroyed || access.onInternal(error);
    try {
      await toNodeHandler(handler, { maxRequestBodySize: MOST_BYTES, onerror })(request, response);
    } finally {
      await handler.close();
    }
  };
}

function planServers() {
  const waits = settledWaits();
  return (access: Access) => createMcpServer(access, waits);
}
