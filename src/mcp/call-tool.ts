import {
  type CallToolResult,
  ProtocolError,
  ProtocolErrorCode,
  type ServerContext,
} from '@modelcontextprotocol/server';
import { asFault, FAULTS, type Fault } from '../faults.ts';
import type { Access } from './access.ts';
import type { Answer, Call } from './tool.ts';
import { TOOLS } from './tools.ts';

const BY_NAME = new Map(TOOLS.map((tool) => [tool.name, tool]));

/** Runs a tool for a caller. Whatever is wrong with the call is an answer that a model can read and act on. */
export async function callTool(
  access: Access,
  name: string,
  args: unknown,
  ctx: ServerContext,
): Promise<CallToolResult> {
  const tool = BY_NAME.get(name);
  if (!tool)
    throw new ProtocolError(
      ProtocolErrorCode.InvalidParams,
      `there is no tool "${name.slice(0, 80)}"; there are ${[...BY_NAME.keys()].join(', ')}`,
    );
  const { signal } = ctx.mcpReq;
  const progress = progressOf(ctx);
  try {
    return told(
      await access.use((service, caller, api) => {
        const call: Call = { service, caller: { ...caller, trigger: `mcp ${name}` }, place: access.place, api, signal };
        return tool.call({ ...call, ...(progress && { progress }) }, args);
      }),
    );
  } catch (error) {
    const fault = asFault(error);
    if (fault.code === 'INTERNAL' && !signal.aborted) access.onInternal(fault.cause ?? fault);
    return refused(fault);
  }
}

/** The same JSON as data and as text, for clients that know only one of them. */
function told({ body, links = [] }: Answer<object>): CallToolResult {
  return {
    content: [
      { type: 'text', text: JSON.stringify(body) },
      ...links.map((link) => ({ type: 'resource_link' as const, ...link })),
    ],
    structuredContent: body as Record<string, unknown>,
  };
}

function refused({ code, message, errors, blocked_by, retryAfterSeconds }: Fault): CallToolResult {
  const details = {
    ...(FAULTS[code].retryable && { retryable: true }),
    ...(errors && { errors }),
    ...(blocked_by && { blocked_by }),
    ...(retryAfterSeconds !== undefined && { retry_after_seconds: retryAfterSeconds }),
  };
  const body = {
    error: {
      code,
      message: code === 'INTERNAL' ? 'something went wrong inside; the cause is in the log of the engine' : message,
      ...(Object.keys(details).length > 0 && { details }),
    },
  };
  // As text only: clients hold data against the schema of the tool's answers, which this is none of.
  return { content: [{ type: 'text', text: JSON.stringify(body) }], isError: true };
}

/** Only callers that gave a token are told of progress, and none after the answer. */
function progressOf({ mcpReq: { _meta, notify } }: ServerContext): Call['progress'] {
  const progressToken = _meta?.progressToken;
  if (progressToken === undefined) return undefined;
  return (progress, total, message) =>
    notify({ method: 'notifications/progress', params: { progressToken, progress, total, message } });
}
