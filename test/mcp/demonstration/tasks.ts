import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import {
  acceptedContent,
  type CallToolResult,
  MissingRequiredClientCapabilityError,
  type ServerContext,
} from '@modelcontextprotocol/server';
import {
  asTask,
  TASKS_CAPABILITIES,
  type Task,
  type TaskMethods,
  takesTasks,
  unknownTask,
} from '../../../src/mcp/tasks-extension.ts';
import { ASKING_TOOLS, form } from './asking.ts';
import { type DemoTool, saying } from './content.ts';

interface Kept {
  createdAt: string;
  state: { status: 'working' | 'cancelled' } | { status: 'completed'; result: CallToolResult } | Failed;
  waitsFor: Record<string, object>;
  answers: Record<string, unknown>;
  whenAnswered?: (answers: Record<string, unknown>) => CallToolResult;
}
type Failed = { status: 'failed'; error: { code: number; message: string } };

const kept = new Map<string, Kept>();

function begin(more: Partial<Kept> = {}): { answer: CallToolResult; settle(state: Kept['state']): void } {
  const taskId = randomUUID();
  const task: Kept = {
    createdAt: new Date().toISOString(),
    state: { status: 'working' },
    waitsFor: {},
    answers: {},
    ...more,
  };
  kept.set(taskId, task);
  return {
    answer: asTask(about(taskId, { ...task, waitsFor: {} })),
    settle(state) {
      if (task.state.status === 'working') task.state = state;
    },
  };
}

function about(taskId: string, { createdAt, state, waitsFor }: Kept): Task {
  const facts = { taskId, createdAt, lastUpdatedAt: new Date().toISOString(), ttlMs: 600_000, pollIntervalMs: 200 };
  const asks = state.status === 'working' && Object.keys(waitsFor).length > 0;
  if (asks) return { ...facts, status: 'input_required', inputRequests: waitsFor as never };
  return { ...facts, ...state };
}

const mustBe = (taskId: string): Kept => {
  const task = kept.get(taskId);
  if (!task) throw unknownTask(taskId);
  return task;
};

export const demoTasks: TaskMethods = {
  get: async (taskId) => about(taskId, mustBe(taskId)),
  async update(taskId, inputResponses) {
    const task = mustBe(taskId);
    for (const [key, response] of Object.entries(inputResponses)) {
      if (!Object.hasOwn(task.waitsFor, key)) continue;
      delete task.waitsFor[key];
      task.answers[key] = response;
    }
    if (Object.keys(task.waitsFor).length === 0 && task.state.status === 'working' && task.whenAnswered)
      task.state = { status: 'completed', result: task.whenAnswered(task.answers) };
  },
  async cancel(taskId) {
    const task = mustBe(taskId);
    if (task.state.status === 'working') task.state = { status: 'cancelled' };
  },
};

function mustTakeTasks(ctx: ServerContext): void {
  if (!takesTasks(ctx)) throw new MissingRequiredClientCapabilityError({ requiredCapabilities: TASKS_CAPABILITIES });
}

/** Ends by itself after a while. */
function ending(ms: number, state: Kept['state']): CallToolResult {
  const { answer, settle } = begin();
  setTimeout(() => settle(state), ms).unref();
  return answer;
}
const asking = (waitsFor: Record<string, object>) =>
  begin({ waitsFor, whenAnswered: (answers) => saying(JSON.stringify(answers)) }).answer;

/** Tools that go on as tasks. */
export const TASK_TOOLS: Record<string, DemoTool> = {
  greet: { description: 'greets', call: ({ name }) => saying(`Hello, ${name}!`) },
  slow_compute: {
    description: 'takes its time',
    async call({ seconds = 0 }, ctx) {
      const ms = Number(seconds) * 1_000;
      const result = saying(`computed for ${seconds} s`);
      if (ms > 0 && takesTasks(ctx)) return ending(ms, { status: 'completed', result });
      await delay(ms);
      return result;
    },
  },
  failing_job: {
    description: 'fails',
    call(_, ctx) {
      mustTakeTasks(ctx);
      return ending(500, { status: 'completed', result: { ...saying('it failed'), isError: true } });
    },
  },
  protocol_error_job: {
    description: 'breaks',
    call(_, ctx) {
      mustTakeTasks(ctx);
      return ending(500, { status: 'failed', error: { code: -32603, message: 'it broke' } });
    },
  },
  confirm_delete: {
    description: 'asks first',
    call(_, ctx) {
      mustTakeTasks(ctx);
      return asking({ [randomUUID()]: form('Delete it?', 'confirm', 'boolean') });
    },
  },
  multi_input: {
    description: 'asks for two things',
    call(_, ctx) {
      mustTakeTasks(ctx);
      return asking({ [randomUUID()]: form('Name?', 'name'), [randomUUID()]: form('Colour?', 'colour') });
    },
  },
  test_tool_with_task: {
    description: 'asks, and then goes on as a task',
    call(args, ctx) {
      mustTakeTasks(ctx);
      const content = acceptedContent<{ name: string }>(ctx.mcpReq.inputResponses, 'user_name');
      if (!content) return ASKING_TOOLS.test_input_required_result_elicitation!.call(args, ctx);
      return ending(300, { status: 'completed', result: saying(`Hello, ${content.name}!`) });
    },
  },
};
