import {
  type GetPromptResult,
  inputRequired,
  type Prompt,
  ProtocolError,
  ResourceNotFoundError,
  Server,
} from '@modelcontextprotocol/server';
import { serveTasks, TASKS_CAPABILITIES } from '../../../src/mcp/tasks-extension.ts';
import { ASKING_TOOLS, form, states } from './asking.ts';
import { CONTENT_TOOLS, PNG } from './content.ts';
import { demoTasks, TASK_TOOLS } from './tasks.ts';

const TOOLS = { ...CONTENT_TOOLS, ...ASKING_TOOLS, ...TASK_TOOLS };
const INPUT = { type: 'object' as const, properties: {} };

const said = (...contents: GetPromptResult['messages'][number]['content'][]): GetPromptResult => ({
  messages: contents.map((content) => ({ role: 'user' as const, content })),
});
const text = (words: string) => ({ type: 'text' as const, text: words });

const PROMPTS: Record<string, { listed: Omit<Prompt, 'name'>; get(args: Record<string, string>): GetPromptResult }> = {
  test_simple_prompt: {
    listed: { description: 'simple' },
    get: () => said(text('This is a simple prompt for testing.')),
  },
  test_prompt_with_arguments: {
    listed: {
      description: 'with arguments',
      arguments: [
        { name: 'arg1', description: 'first', required: true },
        { name: 'arg2', description: 'second', required: true },
      ],
    },
    get: ({ arg1, arg2 }) => said(text(`Prompt with arguments: arg1='${arg1}', arg2='${arg2}'`)),
  },
  test_prompt_with_embedded_resource: {
    listed: {
      description: 'with a resource',
      arguments: [{ name: 'resourceUri', description: 'its address', required: true }],
    },
    get: ({ resourceUri = '' }) =>
      said(
        {
          type: 'resource',
          resource: { uri: resourceUri, mimeType: 'text/plain', text: 'Embedded resource content for testing.' },
        },
        text('Please process the embedded resource above.'),
      ),
  },
  test_prompt_with_image: {
    listed: { description: 'with an image' },
    get: () => said({ type: 'image', data: PNG, mimeType: 'image/png' }, text('Please analyze the image above.')),
  },
  test_input_required_result_prompt: { listed: { description: 'asks first' }, get: () => said(text('with context')) },
};

const RESOURCES = {
  'test://static-text': { mimeType: 'text/plain', text: 'This is the content of the static text resource.' },
  'test://static-binary': { mimeType: 'image/png', blob: PNG },
};

/** The server whose tools, prompts and resources the official conformance suite calls. */
export function demonstrationServer(): Server {
  const server = new Server(
    { name: 'demonstration', version: '1' },
    {
      capabilities: { tools: {}, resources: {}, prompts: {}, completions: {}, ...TASKS_CAPABILITIES },
      requestState: { verify: states.verify },
    },
  );
  server.setRequestHandler('tools/list', () => ({
    tools: Object.entries(TOOLS).map(([name, { description, inputSchema = INPUT }]) => ({
      name,
      description,
      inputSchema,
    })),
  }));
  server.setRequestHandler('tools/call', async ({ params: { name, arguments: args = {} } }, ctx) => {
    const tool = Object.hasOwn(TOOLS, name) ? TOOLS[name as keyof typeof TOOLS] : undefined;
    if (!tool) throw new ProtocolError(-32602, `there is no tool ${name}`);
    return await tool.call(args, ctx);
  });
  server.setRequestHandler('prompts/list', () => ({
    prompts: Object.entries(PROMPTS).map(([name, { listed }]) => ({ name, ...listed })),
  }));
  server.setRequestHandler('prompts/get', ({ params: { name, arguments: args = {} } }, { mcpReq }) => {
    const prompt = PROMPTS[name];
    if (!prompt) throw new ProtocolError(-32602, `there is no prompt ${name}`);
    if (name === 'test_input_required_result_prompt' && !mcpReq.inputResponses?.user_context)
      return inputRequired({
        inputRequests: { user_context: form('What context should the prompt use?', 'context') },
      }) as never;
    return prompt.get(args);
  });
  server.setRequestHandler('resources/list', () => ({
    resources: Object.keys(RESOURCES).map((uri) => ({ uri, name: uri })),
  }));
  server.setRequestHandler('resources/templates/list', () => ({
    resourceTemplates: [{ uriTemplate: 'test://template/{id}/data', name: 'template' }],
  }));
  server.setRequestHandler('resources/read', ({ params: { uri } }) => {
    const id = /^test:\/\/template\/(\w+)\/data$/.exec(uri)?.[1];
    if (id !== undefined) {
      const data = { id, templateTest: true, data: `Data for ID: ${id}` };
      return { contents: [{ uri, mimeType: 'application/json', text: JSON.stringify(data) }] };
    }
    const found = Object.entries(RESOURCES).find(([known]) => known === uri);
    if (!found) throw new ResourceNotFoundError(uri);
    return { contents: [{ uri, ...found[1] }] };
  });
  server.setRequestHandler('completion/complete', () => ({ completion: { values: [] } }));
  serveTasks(server, demoTasks);
  return server;
}
