import type { CallToolResult } from '@modelcontextprotocol/server';
import { FAULTS, type Fault } from '../faults.ts';
import type { Answer } from './tool.ts';

/** All that callers are told of what went wrong inside. */
export const SOMETHING_INSIDE = 'something went wrong inside; the cause is in the log of the engine';

/** The same JSON as data and as text, for clients that know only one of them, unless the tool has a text of its own. */
export function told({ body, text, meta, links = [] }: Answer<object>): CallToolResult {
  return {
    content: [
      { type: 'text', text: text ?? JSON.stringify(body) },
      ...links.map((link) => ({ type: 'resource_link' as const, ...link })),
    ],
    structuredContent: body as Record<string, unknown>,
    ...(meta && { _meta: meta }),
  };
}

export function refused({ code, message, errors, blocked_by, limit, retryAfterSeconds }: Fault): CallToolResult {
  const details = {
    ...(FAULTS[code].retryable && { retryable: true }),
    ...(errors && { errors }),
    ...(blocked_by && { blocked_by }),
    ...limit,
    ...(retryAfterSeconds !== undefined && { retry_after_seconds: retryAfterSeconds }),
  };
  const body = {
    error: {
      code,
      message: code === 'INTERNAL' ? SOMETHING_INSIDE : message,
      ...(Object.keys(details).length > 0 && { details }),
    },
  };
  // As text only: clients hold data against the schema of the tool's answers, which this is none of.
  return { content: [{ type: 'text', text: JSON.stringify(body) }], isError: true };
}
