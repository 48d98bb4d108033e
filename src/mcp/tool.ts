import { z } from 'zod';
import type { Place } from '../contract/payloads.ts';
import type { Caller } from '../service/caller.ts';
import { mustBeShallow } from '../service/nesting.ts';
import { parseRequest } from '../service/parse-request.ts';
import type { PlanService } from '../service/service.ts';
import type { OperationPushes, Push } from './operations.ts';
import type { Task } from './tasks-extension.ts';

/** One call of a tool: whom it is for, and what it may use. */
export interface Call {
  service: PlanService;
  /** Its trigger names the tool. */
  caller: Caller;
  /** Recorded for plans that are made. */
  place(): Place;
  /** Where the caller reaches the REST API; undefined where it has none. */
  api: string | undefined;
  /** Aborts when whoever called has cancelled the call, or is gone. */
  signal: AbortSignal;
  /** The caller takes a task in place of an answer that has to be waited for. */
  takesTasks?: boolean;
  /** Tells a line of an operation. Never fails: who is gone is told nothing. */
  push: Push;
  /** Goes on with that after the answer; undefined where nothing outlasts the call. */
  pushes?: OperationPushes | undefined;
  /** Starts the engine again where it has died meanwhile, as the next call would; resolves when it runs. */
  rouse(): Promise<void>;
  /** Tells how far it is, to callers that asked for it; `done` has to rise. */
  progress?(done: number, total: number, message: string): Promise<void>;
}

/** Something to read besides the answer. */
export interface Link {
  uri: string;
  name: string;
  description: string;
  mimeType: string;
  size?: number;
}

export interface Answer<T> {
  body: T;
  /** For people and models, in place of the body as JSON. */
  text?: string;
  /** Besides, for programs. */
  meta?: Record<string, unknown>;
  links?: Link[];
}

/** The call goes on as a task, and is answered there. */
export interface TaskAnswer {
  task: Task;
}

/** What clients are told of a tool's behaviour. */
export interface Annotations {
  readOnlyHint: boolean;
  destructiveHint: boolean;
  idempotentHint: boolean;
  openWorldHint: boolean;
}

export interface Tool {
  name: string;
  /** As `tools/list` shows it. */
  listed: {
    name: string;
    title: string;
    description: string;
    inputSchema: JsonSchema;
    outputSchema: JsonSchema;
    annotations: Annotations;
  };
  /** Parses the arguments and runs; throws only `Fault`, REQUEST_INVALID for wrong arguments. */
  call(call: Call, args: unknown): Promise<Answer<object> | TaskAnswer>;
}
type JsonSchema = { type: 'object' } & Record<string, unknown>;

interface ToolDefinition<In, Out extends object> {
  name: string;
  title: string;
  /** Tells an agent when to use it. */
  description: string;
  annotations: Annotations;
  input: z.ZodType<In>;
  output: z.ZodType<Out>;
  run(call: Call, given: NoInfer<In>): Promise<Answer<NoInfer<Out>> | TaskAnswer>;
}

export function defineTool<In, Out extends object>(tool: ToolDefinition<In, Out>): Tool {
  const { name, title, description, annotations, input, output } = tool;
  return {
    name,
    listed: {
      name,
      title,
      description,
      inputSchema: jsonSchemaOf(input, 'input'),
      outputSchema: jsonSchemaOf(output, 'output'),
      annotations,
    },
    async call(call, args = {}) {
      mustBeShallow(args, 'the arguments are');
      return await tool.run(call, parseRequest(input, args));
    },
  };
}

/** Answers may grow: a client that checks them against the schema it knows is not to stumble over a new field. */
function jsonSchemaOf(schema: z.ZodType, io: 'input' | 'output'): JsonSchema {
  const made = z.toJSONSchema(schema, {
    io,
    unrepresentable: 'any',
    override({ jsonSchema }) {
      if (io === 'output' && jsonSchema.additionalProperties === false) delete jsonSchema.additionalProperties;
    },
  });
  return { ...made, type: 'object' };
}
