import type { Server } from '@modelcontextprotocol/server';
import type { Access } from './access.ts';
import { callTool } from './call-tool.ts';
import { serveFollow } from './follow-operation.ts';
import { INSTRUCTIONS } from './instructions.ts';
import { operationPushes } from './operations.ts';
import { readResource } from './resources.ts';
import type { SettledWaits } from './settled-waits.ts';
import { serveTasks, TASKS_CAPABILITIES } from './tasks-extension.ts';
import { TOOLS } from './tools.ts';
import { SCHEMA, TEMPLATES } from './uris.ts';
import { waitTasks } from './wait-tasks.ts';
import { WordedServer } from './worded-server.ts';

/** Lists change with the program only. */
const HOUR = { ttlMs: 3_600_000, cacheScope: 'public' } as const;

/**
 * The tools, tasks and resources for one caller; what is kept between calls is in `waits`. The SDK's plain server, and not its registry of tools:
 * wrong arguments are answered in the words that every surface has for them, with their code.
 */
export function createMcpServer(access: Access, waits: SettledWaits): Server {
  const server = new WordedServer(
    { name: 'holdpoint', title: 'Holdpoint', version: access.version },
    {
      capabilities: { tools: {}, resources: {}, ...TASKS_CAPABILITIES },
      instructions: INSTRUCTIONS,
      cacheHints: {
        'tools/list': HOUR,
        'resources/list': HOUR,
        'resources/templates/list': HOUR,
        'server/discover': HOUR,
      },
    },
  );
  server.setRequestHandler('tools/list', () => ({ tools: TOOLS.map(({ listed }) => listed) }));
  const pushes = operationPushes(access);
  server.setRequestHandler('tools/call', ({ params: { name, arguments: args } }, ctx) =>
    callTool(access, name, args, ctx, pushes),
  );
  // Which there are of a plan, answers of tools say.
  server.setRequestHandler('resources/list', () => ({ resources: [SCHEMA] }));
  server.setRequestHandler('resources/templates/list', () => ({ resourceTemplates: Object.values(TEMPLATES) }));
  server.setRequestHandler('resources/read', ({ params }) => readResource(access, params.uri));
  serveTasks(server, waitTasks(access, waits));
  serveFollow(server, access);
  return server;
}
