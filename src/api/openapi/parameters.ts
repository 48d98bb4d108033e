/** The parts of addresses that vary, by the name that routes give them. */
export const PARAMETERS = {
  id: {
    description: 'The plan: a UUID, in capitals or not. A malformed one is an unknown plan',
    schema: { type: 'string', format: 'uuid' },
    example: '3f2b9c1e-5d0a-4c1b-8a54-2f6f0e1d7c90',
  },
  task: {
    description: 'The id of a task; inside a sub-plan `outer/inner`, of an item of a map `each[3]`, URL-encoded',
    schema: { type: 'string' },
    example: 'deploy',
  },
  question: {
    description: 'The id of a question, or of its task, URL-encoded',
    schema: { type: 'string' },
    example: 'ship_it.1',
  },
  request_id: {
    description: 'The `request_id` of a command',
    schema: { type: 'string', minLength: 1, maxLength: 200 },
    example: '7f4f8f5e-2a0b-4f1e-9d84-7a1d3f0f6a11',
  },
  name: {
    description: 'The name of an output',
    schema: { type: 'string' },
    example: 'stdout',
  },
  prompt_hash: {
    description: 'The catalog, as registering it told',
    schema: { type: 'string', pattern: '^[0-9a-f]{8,64}$' },
    example: '5f0b1c6f2ad94f0c8f4f1d2b3a495867',
  },
  session: {
    description: 'The session: named by its caller, made by its first use, URL-encoded',
    schema: { type: 'string', minLength: 1, maxLength: 150 },
    example: 'research-1',
  },
  handle: {
    description: 'An operation of the session, as its acceptance told',
    schema: { type: 'string' },
    example: 's0_o1',
  },
  sha256: {
    description: 'The hash by which an artifact is listed',
    schema: { type: 'string', pattern: '^[0-9a-f]{64}$' },
  },
} as const;
export type ParameterName = keyof typeof PARAMETERS;

/** Headers of requests that operations may name. */
export const HEADERS = {
  'Idempotency-Key': {
    description: 'Chosen by the caller, 1 to 200 printable ASCII characters: the same again is the same request',
    schema: { type: 'string', pattern: '^[!-~]{1,200}$' },
  },
  Prefer: {
    description: '`handling=strict`: refuse rather than take effect later (RFC 7240)',
    schema: { type: 'string' },
    example: 'handling=strict',
  },
  'If-None-Match': {
    description: 'The `ETag` of an earlier answer: 304 while nothing has changed',
    schema: { type: 'string' },
  },
  'Last-Event-ID': {
    description: 'The `id` of the last event that was seen: what follows it is sent',
    schema: { type: 'string' },
  },
  Range: { description: 'A part of it, such as `bytes=0-99`', schema: { type: 'string' } },
} as const;
export type HeaderName = keyof typeof HEADERS;
