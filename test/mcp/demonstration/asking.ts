import {
  acceptedContent,
  createRequestStateCodec,
  inputRequired,
  MissingRequiredClientCapabilityError,
  type ServerContext,
} from '@modelcontextprotocol/server';
import { clientCapabilities } from '../../../src/mcp/tasks-extension.ts';
import { type DemoTool, saying } from './content.ts';

export const states = createRequestStateCodec<{ round: number }>({ key: 'k'.repeat(32) });

export const form = (message: string, field: string, type: 'string' | 'boolean' = 'string') =>
  inputRequired.elicit({
    message,
    requestedSchema: { type: 'object', properties: { [field]: { type } as { type: 'string' } }, required: [field] },
  });
const sampling = (text: string) =>
  inputRequired.createMessage({ messages: [{ role: 'user', content: { type: 'text', text } }], maxTokens: 100 });

const given = ({ mcpReq }: ServerContext, key: string) => mcpReq.inputResponses?.[key] as object | undefined;
const asks = async (inputRequests: object, round?: number) =>
  inputRequired({
    inputRequests,
    ...(round !== undefined && { requestState: await states.mint({ round }) }),
  } as never) as never;

/** Asks for one thing, and says what it was given. */
const askingFor = (key: string, request: () => object, keepsState = false): DemoTool => ({
  description: `asks for ${key}`,
  call: (_, ctx) =>
    given(ctx, key)
      ? saying(`state-ok ${JSON.stringify(given(ctx, key))}`)
      : asks({ [key]: request() }, keepsState ? 1 : undefined),
});

/** Tools that ask whoever called for more. */
export const ASKING_TOOLS: Record<string, DemoTool> = {
  test_input_required_result_elicitation: {
    description: 'asks for a name',
    call: (_, ctx) => {
      const content = acceptedContent<{ name: string }>(ctx.mcpReq.inputResponses, 'user_name');
      return content ? saying(`Hello, ${content.name}!`) : asks({ user_name: form('What is your name?', 'name') });
    },
  },
  test_input_required_result_sampling: askingFor('capital_question', () => sampling('What is the capital of France?')),
  test_input_required_result_list_roots: askingFor('client_roots', () => inputRequired.listRoots()),
  test_input_required_result_request_state: askingFor('confirm', () => form('Please confirm', 'ok', 'boolean'), true),
  test_input_required_result_tampered_state: askingFor('confirm', () => form('Please confirm', 'ok', 'boolean'), true),
  test_input_required_result_multiple_inputs: {
    description: 'asks for three things',
    call: (_, ctx) =>
      ['user_name', 'greeting', 'client_roots'].every((key) => given(ctx, key))
        ? saying('all given')
        : asks(
            {
              user_name: form('What is your name?', 'name'),
              greeting: sampling('Generate a greeting'),
              client_roots: inputRequired.listRoots(),
            },
            1,
          ),
  },
  test_input_required_result_multi_round: {
    description: 'asks twice',
    call(_, ctx) {
      if (given(ctx, 'step2')) return saying('both given');
      return given(ctx, 'step1')
        ? asks({ step2: form('Step 2: What is your favorite color?', 'color') }, 2)
        : asks({ step1: form('Step 1: What is your name?', 'name') }, 1);
    },
  },
  test_input_required_result_capabilities: {
    description: 'asks for what the client can give',
    call(_, ctx) {
      const can = clientCapabilities(ctx) ?? {};
      return asks({
        ...(can.elicitation && { name: form('What is your name?', 'name') }),
        ...('sampling' in can && { greeting: sampling('Generate a greeting') }),
      });
    },
  },
  test_missing_capability: {
    description: 'needs sampling',
    call(_, ctx) {
      if ('sampling' in (clientCapabilities(ctx) ?? {})) return saying('fine');
      throw new MissingRequiredClientCapabilityError({ requiredCapabilities: { sampling: {} } });
    },
  },
  test_streaming_elicitation: askingFor('name', () => form('What is your name?', 'name')),
  test_logging_tool: { description: 'logs nothing that nobody asked for', call: () => saying('fine') },
};
