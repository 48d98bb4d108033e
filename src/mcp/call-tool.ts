import {
  type CallToolResult,
  ProtocolError,
  ProtocolErrorCode,
  type ServerContext,
} from '@modelcontextprotocol/server';
import { asFault } from '../faults.ts';
import type { Access } from './access.ts';
import { OP_NOTIFICATION, type OperationPushes, type Push } from './operations.ts';
import { asTask, takesTasks } from './tasks-extension.ts';
import type { Call } from './tool.ts';
import { refused, told } from './tool-result.ts';
import { TOOLS } from './tools.ts';

const BY_NAME = new Map(TOOLS.map((tool) => [tool.name, tool]));

/** Runs a tool for a caller. Whatever is wrong with the call is an answer that a model can read and act on. */
export async function callTool(
  access: Access,
  name: string,
  args: unknown,
  ctx: ServerContext,
  pushes?: OperationPushes,
): Promise<CallToolResult> {
  const tool = BY_NAME.get(name);
  if (!tool)
    throw new ProtocolError(
      ProtocolErrorCode.InvalidParams,
      `there is no tool "${name.slice(0, 80)}"; there are ${[...BY_NAME.keys()].join(', ')}`,
    );
  const { signal } = ctx.mcpReq;
  const progress = progressOf(ctx);
  const push = pushTo(ctx);
  try {
    const answer = await access.use((service, caller, api) => {
      const call: Call = {
        service,
        caller: { ...caller, trigger: `mcp ${name}` },
        place: access.place,
        api,
        signal,
        push,
        pushes,
        rouse: () => access.use(async () => {}, { unasked: true }),
      };
      return tool.call({ ...call, takesTasks: takesTasks(ctx), ...(progress && { progress }) }, args);
    });
    return 'task' in answer ? asTask(answer.task) : told(answer);
  } catch (error) {
    const fault = asFault(error);
    if (fault.code === 'INTERNAL' && !signal.aborted) access.onInternal(fault.cause ?? fault);
    return refused(fault);
  }
}

/** Lines of operations come unasked: a client that does not know them lets them be. */
const pushTo =
  ({ mcpReq: { notify } }: ServerContext): Push =>
  (notice) =>
    notify({ method: OP_NOTIFICATION, params: { ...notice } }).catch(() => {});

/** Only callers that gave a token are told of progress, and none after the answer. */
function progressOf({ mcpReq: { _meta, notify } }: ServerContext): Call['progress'] {
  const progressToken = _meta?.progressToken;
  if (progressToken === undefined) return undefined;
  return (progress, total, message) =>
    notify({ method: 'notifications/progress', params: { progressToken, progress, total, message } });
}
