// Stands for a language model: an HTTP server that speaks the chat completions of OpenAI, for trying chats without a key.
// Prints the address for HOLDPOINT_LLM_BASE_URL; a port may be given.
import { createServer } from 'node:http';

/** The smallest value that fits a schema: what the message is for, or that a reviewer approves. */
function fitting(schema, name, message) {
  if (schema.enum) return schema.enum.find((word) => message.toLowerCase().includes(word)) ?? schema.enum[0];
  if (schema.type === 'object')
    return Object.fromEntries(
      Object.entries(schema.properties).map(([key, inner]) => [key, fitting(inner, key, message)]),
    );
  if (schema.type === 'array') return [];
  return schema.type === 'boolean' ? true : `some ${name}`;
}

/** The message itself stands at the end of what a model is told. */
const lastLine = (text) => text.trim().split('\n').at(-1);
const tokens = (text) => Math.ceil(text.length / 4);

const server = createServer(async (request, response) => {
  let body = '';
  for await (const chunk of request) body += chunk;
  if (request.method !== 'POST' || request.url !== '/v1/chat/completions') return response.writeHead(404).end('{}');
  const { messages, model, response_format: format, stream, stream_options: options } = JSON.parse(body);
  const said = (role) => messages.filter((message) => message.role === role).map(({ content }) => content);
  const schema = format?.json_schema?.schema;
  const text = schema
    ? JSON.stringify(fitting(schema, '', lastLine(said('user').join('\n'))))
    : `This is what I would do. (${said('system').join(' ').split('.')[0]}.)`;
  const [prompt_tokens, completion_tokens] = [tokens(body), tokens(text)];
  const usage = { prompt_tokens, completion_tokens, total_tokens: prompt_tokens + completion_tokens };
  const common = { id: 'example', created: Math.floor(Date.now() / 1000), model };
  if (!stream) {
    const choices = [{ index: 0, finish_reason: 'stop', message: { role: 'assistant', content: text } }];
    response.setHeader('content-type', 'application/json');
    return response.end(JSON.stringify({ ...common, object: 'chat.completion', choices, usage }));
  }
  response.setHeader('content-type', 'text/event-stream');
  const send = (choices, more) =>
    response.write(`data: ${JSON.stringify({ ...common, object: 'chat.completion.chunk', choices, ...more })}\n\n`);
  for (const word of text.split(/(?<= )/)) send([{ index: 0, delta: { content: word }, finish_reason: null }]);
  send([{ index: 0, delta: {}, finish_reason: 'stop' }]);
  if (options?.include_usage) send([], { usage });
  return response.end('data: [DONE]\n\n');
});

server.listen(Number(process.argv[2] ?? 0), '127.0.0.1', () =>
  process.stdout.write(`HOLDPOINT_LLM_BASE_URL=http://127.0.0.1:${server.address().port}/v1\n`),
);
