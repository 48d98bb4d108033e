import { ProtocolError, ProtocolErrorCode, type Server } from '@modelcontextprotocol/server';
import { z } from 'zod';
import { asFault } from '../faults.ts';
import { timedSignal } from '../timed-signal.ts';
import type { Access } from './access.ts';
import { OP_NOTIFICATION } from './operations.ts';
import { SOMETHING_INSIDE } from './tool-result.ts';
import { sessionMeant } from './tools/plasm-arguments.ts';

export const FOLLOW = 'plasm/follow';

const params = z.looseObject({
  handle: z.string({ error: 'give the handle of an operation, such as s1_o1' }),
  prompt_hash: z.string().optional(),
  session: z.string().optional(),
  after: z.int().min(0).optional(),
});

/** A call that lasts longer is likely to be cut on its way. */
const MOST_MS = 20 * 60_000;

/**
 * Serves `plasm/follow`: the lines of an operation are pushed on the stream of this request until it ends, and the last is the
 * answer. By this lines also come where no connection outlasts a call.
 */
export function serveFollow(server: Server, access: Access): void {
  server.setRequestHandler(FOLLOW, { params }, async ({ handle, after, ...named }, { mcpReq: { signal, notify } }) => {
    const over = timedSignal(MOST_MS);
    const end = AbortSignal.any([signal, over.signal]);
    try {
      return await access.use(async (service, caller) => {
        const session = await sessionMeant(service, caller, named);
        const lines = await service.execute.follow(caller, session, handle);
        let last = {};
        for await (const { event, line, n } of lines({ after, signal: end })) {
          last = { line, n, ended: event === 'terminal' };
          // How it ended is told to whoever comes late, too, by the answer.
          if (after === undefined || n > after) await notify({ method: OP_NOTIFICATION, params: { line, n } });
        }
        return { ended: false, ...last };
      });
    } catch (error) {
      const { code, message, cause } = asFault(error);
      if (code !== 'INTERNAL') throw new ProtocolError(ProtocolErrorCode.InvalidParams, `${code}: ${message}`);
      if (!signal.aborted) access.onInternal(cause ?? error);
      throw new ProtocolError(ProtocolErrorCode.InternalError, SOMETHING_INSIDE);
    } finally {
      over.clear();
    }
  });
}
