import { ProtocolError, ProtocolErrorCode, Server } from '@modelcontextprotocol/server';
import { z } from 'zod';

type Wrap = Server['_wrapHandler'];

/** The SDK's plain server, but that wrong parameters are told in words, where it gives its parser's list of issues. */
export class WordedServer extends Server {
  protected override _wrapHandler(method: string, handler: Parameters<Wrap>[1]): ReturnType<Wrap> {
    const wrapped = super._wrapHandler(method, handler);
    return async (request, ctx) => {
      try {
        return await wrapped(request, ctx);
      } catch (error) {
        throw inWords(`the parameters of ${method}`, error);
      }
    };
  }
}

const issues = z.array(z.looseObject({ path: z.array(z.union([z.string(), z.number()])), message: z.string() })).min(1);

/** The parser's list of issues as one line; any other error is left as it is. */
function inWords(what: string, error: unknown): unknown {
  const parsed = issues.safeParse(error instanceof Error ? listIn(error.message) : undefined);
  if (!parsed.success) return error;
  const told = parsed.data.map(({ path, message }) => `${path.join('.') || 'the request'}: ${message}`);
  return new ProtocolError(ProtocolErrorCode.InvalidParams, `${what}: ${told.join('; ')}`);
}

/** The list that a message ends with. */
function listIn(message: string): unknown {
  const begin = message.indexOf('[');
  if (begin === -1 || !message.endsWith(']')) return undefined;
  try {
    return JSON.parse(message.slice(begin));
  } catch {
    return undefined;
  }
}
