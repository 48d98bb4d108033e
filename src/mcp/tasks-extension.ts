import {
  type CallToolResult,
  CLIENT_CAPABILITIES_META_KEY,
  MissingRequiredClientCapabilityError,
  ProtocolError,
  ProtocolErrorCode,
  type Server,
  type ServerContext,
} from '@modelcontextprotocol/server';
import { z } from 'zod';

/** The tasks extension of the protocol (2026-07-28), for which the SDK has no part of its own. */
export const TASKS_EXTENSION = 'io.modelcontextprotocol/tasks';

/** Belongs into what a server says it can do. */
export const TASKS_CAPABILITIES = { extensions: { [TASKS_EXTENSION]: {} } };

interface About {
  taskId: string;
  statusMessage?: string;
  /** ISO 8601. */
  createdAt: string;
  lastUpdatedAt: string;
  /** How long after its creation it may be forgotten; null: never. */
  ttlMs: number | null;
  pollIntervalMs?: number;
}

export type Task = About &
  (
    | { status: 'working' | 'cancelled' }
    | { status: 'input_required'; inputRequests: Record<string, { method: string; params: object }> }
    | { status: 'completed'; result: CallToolResult }
    | { status: 'failed'; error: { code: number; message: string } }
  );

/** What becomes of a task that a tool call was answered with. An id that none was given is refused by `unknownTask`. */
export interface TaskMethods {
  get(taskId: string, ctx: ServerContext): Promise<Task>;
  /** Takes what the client answers to `inputRequests`, by their keys; unknown keys are let be. */
  update(taskId: string, inputResponses: Record<string, unknown>, ctx: ServerContext): Promise<void>;
  cancel(taskId: string, ctx: ServerContext): Promise<void>;
}

export const unknownTask = (taskId: string, why = '') =>
  new ProtocolError(
    ProtocolErrorCode.InvalidParams,
    `there is no task ${JSON.stringify(taskId.slice(0, 80))}${why}; give the taskId that the call of the tool was answered with`,
  );

const capabilities = z.looseObject({
  extensions: z.record(z.string(), z.unknown()).optional().catch(undefined),
  elicitation: z.looseObject({ form: z.unknown().optional(), url: z.unknown().optional() }).optional().catch(undefined),
});

/** What the client has said of itself with this request; nothing, where it speaks a version of the protocol before 2026-07-28. */
export function clientCapabilities({ mcpReq }: ServerContext): z.output<typeof capabilities> | undefined {
  const envelope = mcpReq.envelope as Record<string, unknown> | undefined;
  return capabilities.safeParse(envelope?.[CLIENT_CAPABILITIES_META_KEY]).data;
}

/** Whether this call may be answered with a task; each request says so for itself. */
export const takesTasks = (ctx: ServerContext): boolean =>
  clientCapabilities(ctx)?.extensions?.[TASKS_EXTENSION] !== undefined;

/** The answer to a tool call that goes on as a task. */
export const asTask = (task: Task): CallToolResult => ({ resultType: 'task', ...task }) as unknown as CallToolResult;

const taskId = z.string();
const one = z.looseObject({ taskId });
/** Serves `tasks/get`, `tasks/update` and `tasks/cancel`; the extension has no list and no waiting for a result. */
export function serveTasks(server: Server, { get, update, cancel }: TaskMethods): void {
  server.setRequestHandler('tasks/get', { params: one }, async ({ taskId }, ctx) => {
    mustTakeTasks(ctx);
    return { ...(await get(taskId, ctx)) };
  });
  server.setRequestHandler('tasks/update', { params: one }, async ({ taskId }, ctx) => {
    mustTakeTasks(ctx);
    await update(taskId, responsesOf(ctx), ctx);
    return {};
  });
  server.setRequestHandler('tasks/cancel', { params: one }, async ({ taskId }, ctx) => {
    mustTakeTasks(ctx);
    await cancel(taskId, ctx);
    return {};
  });
}

/** The SDK takes them out of the parameters, and sorts out what can be no response. */
function responsesOf({ mcpReq: { inputResponses, droppedInputResponseKeys = [] } }: ServerContext) {
  if (inputResponses !== undefined)
    return { ...inputResponses, ...Object.fromEntries(droppedInputResponseKeys.map((key) => [key, undefined])) };
  throw new ProtocolError(
    ProtocolErrorCode.InvalidParams,
    'inputResponses is missing: give a response for each key of inputRequests',
  );
}

function mustTakeTasks(ctx: ServerContext): void {
  // Earlier versions have other methods of these names, which are not served.
  if (ctx.mcpReq.envelope === undefined) throw new ProtocolError(ProtocolErrorCode.MethodNotFound, 'Method not found');
  if (takesTasks(ctx)) return;
  throw new MissingRequiredClientCapabilityError(
    { requiredCapabilities: TASKS_CAPABILITIES },
    `this needs a client that takes tasks: declare ${TASKS_EXTENSION} under extensions in the client capabilities of the request`,
  );
}
