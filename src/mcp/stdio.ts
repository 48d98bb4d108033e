import { once } from 'node:events';
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import type { Access } from './access.ts';
import { createMcpServer } from './server.ts';
import { settledWaits } from './settled-waits.ts';

/** Serves this process's standard input and output until the input ends: whoever started it has gone then. */
export async function mcpOverStdio(access: Access): Promise<void> {
  const waits = settledWaits();
  const handle = serveStdio(() => createMcpServer(access, waits));
  await Promise.race([once(process.stdin, 'end'), once(process.stdin, 'close')]);
  await handle.close();
}
