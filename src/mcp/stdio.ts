import { once } from 'node:events';
import { StdioServerTransport, serveStdio } from '@modelcontextprotocol/server/stdio';
import { Fault } from '../faults.ts';
import type { Access } from './access.ts';
import { MOST_BYTES } from './most-bytes.ts';
import { createMcpServer } from './server.ts';
import { settledWaits } from './settled-waits.ts';

/** Serves this process's standard input and output until either ends: whoever started it has gone then. */
export async function mcpOverStdio(access: Access): Promise<void> {
  const waits = settledWaits();
  const gone = new AbortController();
  const { stdin, stdout } = process;
  const transport = new StdioServerTransport(stdin, stdout, { maxBufferSize: MOST_BYTES });
  let tooLarge = false;
  const onerror = (error: Error) => {
    if (error.message.startsWith('ReadBuffer exceeded')) tooLarge = true;
    else access.onInternal(error.name === 'ZodError' ? new Error(NO_MESSAGE, { cause: error }) : error);
  };
  const handle = serveStdio(() => createMcpServer({ ...access, connection: gone.signal }, waits), {
    transport,
    onerror,
  });
  await Promise.race([once(stdin, 'end'), once(stdin, 'close'), closing(transport)]);
  gone.abort();
  await handle.close();
  if (tooLarge) throw new Fault('BODY_TOO_LARGE', `a message on standard input is longer than ${MOST_BYTES} bytes`);
}

const NO_MESSAGE =
  'a line of standard input is no JSON-RPC message, or has an id or parameters of the wrong type; it is let be';

/** It closes by itself when it cannot go on. */
const closing = (transport: StdioServerTransport) =>
  new Promise<void>((resolve) => {
    const { onclose } = transport;
    transport.onclose = () => {
      onclose?.();
      resolve();
    };
  });
