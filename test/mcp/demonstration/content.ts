import { setTimeout as delay } from 'node:timers/promises';
import type { CallToolResult, ServerContext, Tool } from '@modelcontextprotocol/server';

/** A tool of the demonstration server that the official conformance suite calls. */
export interface DemoTool {
  description: string;
  inputSchema?: Tool['inputSchema'];
  call(args: Record<string, unknown>, ctx: ServerContext): CallToolResult | Promise<CallToolResult>;
}

export const saying = (text: string): CallToolResult => ({ content: [{ type: 'text', text }] });

/** One red pixel, and no sound. */
export const PNG = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8DwHwAFBQIAX8jx0gAAAABJRU5ErkJggg==';
const WAV = 'UklGRiQAAABXQVZFZm10IBAAAAABAAEAQB8AAEAfAAABAAgAZGF0YQAAAAA=';

const answering = (description: string, ...content: CallToolResult['content']): DemoTool => ({
  description,
  call: () => ({ content }),
});
const image = { type: 'image', data: PNG, mimeType: 'image/png' } as const;

/** Every form that an answer may have. */
export const CONTENT_TOOLS: Record<string, DemoTool> = {
  test_simple_text: answering('text', { type: 'text', text: 'This is a simple text response for testing.' }),
  test_image_content: answering('an image', image),
  test_audio_content: answering('a sound', { type: 'audio', data: WAV, mimeType: 'audio/wav' }),
  test_embedded_resource: answering('a resource', {
    type: 'resource',
    resource: {
      uri: 'test://embedded-resource',
      mimeType: 'text/plain',
      text: 'This is an embedded resource content.',
    },
  }),
  test_multiple_content_types: answering('several', { type: 'text', text: 'Multiple content types test:' }, image, {
    type: 'resource',
    resource: {
      uri: 'test://mixed-content-resource',
      mimeType: 'application/json',
      text: JSON.stringify({ test: 'data', value: 123 }),
    },
  }),
  test_error_handling: {
    description: 'an error',
    call: () => ({ ...saying('This tool intentionally returns an error for testing'), isError: true }),
  },
  test_tool_with_progress: {
    description: 'tells how far it is',
    async call(_, { mcpReq: { _meta, notify } }) {
      const progressToken = _meta?.progressToken;
      for (const progress of [0, 50, 100]) {
        if (progressToken !== undefined)
          await notify({ method: 'notifications/progress', params: { progressToken, progress, total: 100 } });
        await delay(50);
      }
      return saying('done');
    },
  },
  json_schema_2020_12_tool: {
    description: 'Tool with JSON Schema 2020-12 features',
    inputSchema: {
      $schema: 'https://json-schema.org/draft/2020-12/schema',
      type: 'object',
      $defs: {
        address: {
          $anchor: 'addressDef',
          type: 'object',
          properties: { street: { type: 'string' }, city: { type: 'string' } },
        },
      },
      properties: {
        name: { type: 'string' },
        address: { $ref: '#/$defs/address' },
        contactMethod: { type: 'string', enum: ['phone', 'email'] },
        phone: { type: 'string' },
        email: { type: 'string' },
      },
      allOf: [{ anyOf: [{ required: ['phone'] }, { required: ['email'] }] }],
      if: { properties: { contactMethod: { const: 'phone' } }, required: ['contactMethod'] },
      // biome-ignore lint/suspicious/noThenProperty: a word of JSON Schema
      then: { required: ['phone'] },
      else: { required: ['email'] },
      additionalProperties: false,
    },
    call: () => saying('fine'),
  },
};
